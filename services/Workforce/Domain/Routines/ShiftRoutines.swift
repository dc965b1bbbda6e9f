import Contracts
import Postgres

/// The routines of a shift and their completion.
struct ShiftRoutines: Sendable {
    let database: PostgresClient
    private let store = RoutineStore()
    private let shifts = RoutineShiftStore()

    /// A routine of a shift.
    struct Entry: Sendable, Equatable {
        var routine: Routine
        /// nil if only the title is visible.
        var checklist: Checklist?
    }

    struct Checklist: Sendable, Equatable {
        var links: [RoutineLink]
        var tasks: [(task: RoutineTask, isCompleted: Bool)]

        static func == (left: Checklist, right: Checklist) -> Bool {
            left.links == right.links && left.tasks.map(\.task) == right.tasks.map(\.task)
                && left.tasks.map(\.isCompleted) == right.tasks.map(\.isCompleted)
        }
    }

    /// The routines of a shift: complete for its worker, titles for the owner of the workplace.
    ///
    /// - Throws: `WorkforceError.shiftNotFound`, `.forbidden`.
    func routines(of shift: ShiftID, for account: AccountID) async throws -> [Entry] {
        guard let place = try await shifts.place(of: shift, in: database) else { throw WorkforceError.shiftNotFound }
        let routines = try await store.routines(ofShift: shift, in: database)
        if place.account == account {
            let ids = routines.map(\.id)
            let links = try await store.links(ofRoutines: ids, in: database)
            let tasks = try await store.tasks(of: ids, in: database)
            let done = try await shifts.completions(of: shift, in: database)
            return routines.map { routine in
                let own = tasks.filter { $0.routine == routine.id }.map { ($0, done.contains($0.id)) }
                return Entry(
                    routine: routine,
                    checklist: Checklist(links: links.filter { $0.routine == routine.id }, tasks: own)
                )
            }
        }
        guard place.creator == account, place.isShared else { throw WorkforceError.forbidden }
        return routines.map { Entry(routine: $0, checklist: nil) }
    }

    /// Marks a task of a shift as completed or not; idempotent.
    ///
    /// - Throws: `WorkforceError.shiftNotFound`, `.forbidden`; `.routineNotFound` for a task without a routine of the
    ///   shift.
    func complete(_ task: RoutineTaskID, of shift: ShiftID, _ isCompleted: Bool, by account: AccountID) async throws {
        try await database.transaction { transaction in
            guard let place = try await shifts.place(of: shift, in: transaction) else {
                throw WorkforceError.shiftNotFound
            }
            guard place.account == account, place.isAccepted, !place.hasParted else { throw WorkforceError.forbidden }
            guard try await shifts.holds(shift, task: task, in: transaction) else {
                throw WorkforceError.routineNotFound
            }
            try await shifts.setCompleted(isCompleted, task: task, of: shift, in: transaction)
        }
    }
}

/// The worker and the workplace of a shift, for authorization.
struct ShiftPlace: Sendable, Equatable {
    var account: AccountID
    var isAccepted: Bool
    var hasParted: Bool
    var creator: AccountID
    var isShared: Bool
}
