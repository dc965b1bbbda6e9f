import Contracts
import Postgres
import Values

/// Reads shifts: calendars, shift details, and attendance (MOUP contract 1.4, calls 21, 22, 31 to 34).
struct Calendars: Sendable {
    let database: PostgresClient
    let access: Access
    private let store = CalendarStore()

    /// The caller's shifts at a workplace, in the months around one.
    func own(at workplace: WorkplaceID, around month: CivilMonth, by account: AccountID) async throws -> [CalendarEntry]
    {
        let (workplace, worker) = try await access.acceptedMembership(of: account, at: workplace, in: database)
        let own = Membership(worker: worker, workplace: workplace)
        return try await store.entries(of: [own], on: Self.days(around: month), in: database)
    }

    /// The caller's shifts at all workplaces.
    func own(around month: CivilMonth, by account: AccountID) async throws -> [CalendarEntry] {
        _ = try await access.people.person(account)
        let own = try await store.memberships(of: account, in: database)
        return try await store.entries(of: own, on: Self.days(around: month), in: database)
    }

    /// All shifts at a workplace, for its workers.
    ///
    /// - Throws: `WorkforceError.forbidden` for others.
    func shared(at workplace: WorkplaceID, around month: CivilMonth, by account: AccountID) async throws
        -> [CalendarEntry]
    {
        do {
            _ = try await access.acceptedMembership(of: account, at: workplace, in: database)
        } catch WorkforceError.workerNotFound {
            throw WorkforceError.forbidden
        }
        let all = try await store.memberships(at: workplace, in: database)
        return try await store.entries(of: all, on: Self.days(around: month), in: database)
    }

    /// Six months before a month to six months after it.
    static func days(around month: CivilMonth) -> ClosedRange<CivilDate> {
        month.next(-6).first...month.next(6).last
    }

    /// A shift without details.
    func entry(_ id: ShiftID, seenBy account: AccountID) async throws -> CalendarEntry {
        try await access.shift(id, seenBy: account, in: database)
    }

    /// A shift with all details.
    func detail(_ id: ShiftID, seenBy account: AccountID) async throws -> ShiftDetail {
        let entry = try await access.shift(id, seenBy: account, in: database)
        guard let shift = try await ShiftStore().shift(id, in: database) else { throw WorkforceError.shiftNotFound }
        let routines = try await RoutineStore().routines(ofShift: id, in: database)
        let links = try await RoutineStore().links(ofRoutines: routines.map(\.id), in: database)
        return ShiftDetail(entry: entry, shift: shift, routines: routines, links: links)
    }

    /// All shifts of the caller at a workplace, latest first.
    func attendance(at workplace: WorkplaceID, by account: AccountID) async throws -> [ShiftRecord] {
        try await access.people.person(account, as: .worker)
        let worker = try await access.acceptedMembership(of: account, at: workplace, in: database).worker
        return try await store.attendance(of: worker.id, in: database)
    }

    /// All shifts of a worker at the caller's workplace, latest first.
    func attendance(of worker: WorkerID, at workplace: WorkplaceID, by owner: AccountID) async throws -> [ShiftRecord] {
        let workplace = try await access.owned(workplace, by: owner, in: database)
        let worker = try await access.listedWorker(worker, at: workplace, in: database)
        return try await store.attendance(of: worker.id, in: database)
    }
}

/// A shift with all details.
struct ShiftDetail: Sendable {
    var entry: CalendarEntry
    var shift: ShiftRecord
    /// The worker's routines, with all their linked shifts.
    var routines: [Routine]
    var links: [RoutineLink]
}
