import CivilTime
import FoundationEssentials
import Postgres

/// Clocking in and out: nobody is at work at two places (MOUP contract 1.5, calls 41 and 42).
struct TimeClock: Sendable {
    let database: PostgresClient
    let access: Access
    let pay: PayBook
    let now: @Sendable () -> Date
    private let clockings = ClockingStore()

    init(database: PostgresClient, access: Access, pay: PayBook, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.access = access
        self.pay = pay
        self.now = now
    }

    /// How far from its planned start a shift may be begun, in seconds.
    static let tolerance: Double = 3600

    /// Begins the earliest shift that was to start about now, or a new one.
    ///
    /// - Returns: the new shift; nil when it was planned.
    /// - Throws: `WorkforceError.workingAlready`.
    func start(at workplace: Int64, by account: Int64) async throws -> Int64? {
        try await access.people.person(account, as: .worker)
        let now = SeoulTime.wholeSeconds(now())
        return try await database.transaction { transaction in
            try await PersonStore().lock(account, in: transaction)
            let (workplace, worker) = try await access.acceptedMembership(of: account, at: workplace, in: transaction)
            try access.requireWritable(workplace)
            var roster = try await Roster(worker, in: transaction)
            let span = now - Self.tolerance...now + Self.tolerance
            let planned = try await clockings.planned(of: worker.id, starting: span, in: transaction)
            if let planned { try await clockings.begin(planned, at: now, in: transaction) }
            let new = planned == nil ? try await roster.begin(at: now) : nil
            guard let shift = planned ?? new,
                try await clockings.insert(account: account, worker: worker.id, shift: shift, in: transaction)
            else { throw WorkforceError.workingAlready }
            try await roster.settle(pay)
            return new
        }
    }

    /// Ends the shift that was begun. A shift that has been ended by hand meanwhile stays as it is.
    ///
    /// - Throws: `WorkforceError.shiftNotFound` for who is not at work here.
    func end(at workplace: Int64, by account: Int64) async throws {
        try await access.people.person(account, as: .worker)
        let now = SeoulTime.wholeSeconds(now())
        try await database.transaction { transaction in
            try await PersonStore().lock(account, in: transaction)
            let worker = try await access.membership(of: account, at: workplace, in: transaction).worker
            var roster = try await Roster(worker, in: transaction)
            guard let id = try await clockings.delete(account: account, worker: worker.id, in: transaction) else {
                throw WorkforceError.shiftNotFound
            }
            if let shift = try await roster.shift(id).clockedOut(at: now) { try await roster.finish(shift) }
            try await roster.settle(pay)
        }
    }
}
