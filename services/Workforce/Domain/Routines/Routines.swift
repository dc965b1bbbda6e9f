import Contracts
import FoundationEssentials
import Postgres
import Values

/// A user's routines. Other users cannot read them; the calls of shifts link them.
struct Routines: Sendable {
    let database: PostgresClient
    let people: People
    let now: @Sendable () -> Date
    private let store = RoutineStore()
    private let persons = PersonStore()

    /// A routine with its linked shifts.
    struct Linked: Sendable, Equatable {
        var routine: Routine
        var links: [RoutineLink]
    }

    /// - Returns: the new routine's id.
    /// - Throws: `WorkforceError.limit`, `.routineNameTaken`.
    func create(_ draft: RoutineDraft, of account: AccountID) async throws -> RoutineID {
        try await people.person(account)
        return try await database.transaction(key: "account \(account)") { transaction in
            // Serializes concurrent requests, so that they cannot exceed the limit.
            try await persons.lock(account, in: transaction)
            guard try await store.count(of: account, in: transaction) < Routine.limit else {
                throw WorkforceError.limit("루틴은 \(Routine.limit)개까지 만들 수 있습니다.")
            }
            let id = try await store.insert(draft, of: account, in: transaction)
            try await store.insertTasks(draft.tasks, of: id, in: transaction)
            return id
        }
    }

    /// Sorted by alarm time, those without one last.
    func all(of account: AccountID) async throws -> [Linked] {
        try await people.person(account)
        let routines = try await store.routines(of: account, in: database)
        let links = try await store.links(of: account, in: database)
        let byRoutine = Dictionary(grouping: links, by: \.routine)
        return routines.map { Linked(routine: $0, links: byRoutine[$0.id] ?? []) }
    }

    /// - Throws: `WorkforceError.routineNotFound`, also for another user's.
    func routine(_ id: RoutineID, of account: AccountID) async throws -> (linked: Linked, tasks: [RoutineTask]) {
        let routine = try await own(id, account, in: database)
        let links = try await store.links(ofRoutine: id, in: database)
        return (Linked(routine: routine, links: links), try await store.tasks(of: [id], in: database))
    }

    /// Replaces a routine and its tasks.
    ///
    /// - Throws: `WorkforceError.routineNotFound`, `.routineNameTaken`.
    func replace(_ id: RoutineID, of account: AccountID, with draft: RoutineDraft) async throws {
        try await database.transaction(key: "account \(account)") { transaction in
            guard try await store.update(id, of: account, to: draft, in: transaction) else {
                throw WorkforceError.routineNotFound
            }
            try await store.deleteTasks(of: id, in: transaction)
            try await store.insertTasks(draft.tasks, of: id, in: transaction)
        }
    }

    /// - Throws: `WorkforceError.routineNotFound`, also for another user's.
    func delete(_ id: RoutineID, of account: AccountID) async throws {
        guard try await store.delete(id, of: account, in: database) else { throw WorkforceError.routineNotFound }
    }

    /// Today's shifts with a routine and an end, in order, with the number of routines.
    func today(of account: AccountID) async throws -> [RoutineDay] {
        try await people.person(account)
        return try await store.day(SeoulTime.date(of: now()), of: account, in: database)
    }

    private func own(_ id: RoutineID, _ account: AccountID, in database: some Querying) async throws -> Routine {
        guard let routine = try await store.routine(id, in: database), routine.account == account else {
            throw WorkforceError.routineNotFound
        }
        return routine
    }
}

/// A shift of today with the number of its routines.
struct RoutineDay: Sendable, Equatable {
    var shift: ShiftID
    var workplace: Workplace
    var startsAt: Date
    var endsAt: Date
    var routineCount: Int
}
