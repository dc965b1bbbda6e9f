import Contracts
import Postgres
import ServiceKit
import Values

/// Reads shifts: calendars, shift details, and attendance (MOUP contract 1.4, calls 21, 22, 31 to 34).
struct Calendars: Sendable {
    let database: PostgresClient
    let access: Access
    private let store = CalendarStore()

    /// The caller's shifts at a workplace, in order.
    func own(at workplace: WorkplaceID, _ window: ShiftWindow, by account: AccountID) async throws -> Page<
        CalendarEntry
    > {
        let (workplace, worker) = try await access.acceptedMembership(of: account, at: workplace, in: database)
        let own = Membership(worker: worker, workplace: workplace)
        return try await page(of: [own], window)
    }

    /// The caller's shifts at all workplaces.
    func own(_ window: ShiftWindow, by account: AccountID) async throws -> Page<CalendarEntry> {
        _ = try await access.people.person(account)
        let own = try await store.memberships(of: account, in: database)
        return try await page(of: own, window)
    }

    /// All shifts at a workplace, for its workers.
    ///
    /// - Throws: `WorkforceError.forbidden` for others.
    func shared(at workplace: WorkplaceID, _ window: ShiftWindow, by account: AccountID) async throws
        -> Page<CalendarEntry>
    {
        do {
            _ = try await access.acceptedMembership(of: account, at: workplace, in: database)
        } catch WorkforceError.workerNotFound {
            throw WorkforceError.forbidden
        }
        let all = try await store.memberships(at: workplace, in: database)
        return try await page(of: all, window)
    }

    private func page(of memberships: [Membership], _ window: ShiftWindow) async throws -> Page<CalendarEntry> {
        let found = try await store.entries(of: memberships, in: window, from: database)
        return window.page(found) { PageCursor($0.startsAt, $0.id.rawValue) }
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

    /// Shifts of the caller at a workplace, latest first.
    func attendance(at workplace: WorkplaceID, _ window: ShiftWindow, by account: AccountID) async throws
        -> Page<ShiftRecord>
    {
        try await access.people.person(account, as: .worker)
        let worker = try await access.acceptedMembership(of: account, at: workplace, in: database).worker
        return try await attendance(of: worker, window)
    }

    /// Shifts of a worker at the caller's workplace, latest first.
    func attendance(
        of worker: WorkerID,
        at workplace: WorkplaceID,
        _ window: ShiftWindow,
        by owner: AccountID
    ) async throws -> Page<ShiftRecord> {
        let workplace = try await access.owned(workplace, by: owner, in: database)
        let worker = try await access.listedWorker(worker, at: workplace, in: database)
        return try await attendance(of: worker, window)
    }

    private func attendance(of worker: Worker, _ window: ShiftWindow) async throws -> Page<ShiftRecord> {
        let found = try await store.attendance(of: worker.id, in: window, from: database)
        return window.page(found) { PageCursor($0.startsAt, $0.id.rawValue) }
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
