import Contracts
import FoundationEssentials
import Postgres
import Values

/// Clock-in and clock-out; a user can be clocked in at one workplace only (MOUP contract 1.5, calls 41 and 42).
struct TimeClock: Sendable {
    let database: PostgresClient
    let access: Access
    let pay: PayrollProjection
    let now: @Sendable () -> Date
    private let clockings = ClockingStore()

    /// Maximum difference between clock-in and planned start, in seconds.
    static let tolerance: Double = 3600

    /// Clocks in for the earliest planned shift that starts about now, or for a new one.
    ///
    /// - Returns: the new shift; nil for a planned one.
    /// - Throws: `WorkforceError.workingAlready`.
    func start(at workplace: WorkplaceID, by account: AccountID) async throws -> ShiftID? {
        try await access.people.person(account, as: .worker)
        let now = SeoulTime.wholeSeconds(now())
        return try await database.transaction(key: "workplace \(workplace)") { transaction in
            try await PersonStore().lock(account, in: transaction)
            let (workplace, worker) = try await access.acceptedMembership(of: account, at: workplace, in: transaction)
            try access.requireWritable(workplace)
            var roster = try await WorkerSchedule(worker, in: transaction)
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

    /// Clocks out. A shift that was ended by hand meanwhile is unchanged.
    ///
    /// - Throws: `WorkforceError.shiftNotFound` for a user who is not clocked in here.
    func end(at workplace: WorkplaceID, by account: AccountID) async throws {
        try await access.people.person(account, as: .worker)
        let now = SeoulTime.wholeSeconds(now())
        try await database.transaction(key: "workplace \(workplace)") { transaction in
            try await PersonStore().lock(account, in: transaction)
            let worker = try await access.membership(of: account, at: workplace, in: transaction).worker
            var roster = try await WorkerSchedule(worker, in: transaction)
            guard let id = try await clockings.delete(account: account, worker: worker.id, in: transaction) else {
                throw WorkforceError.shiftNotFound
            }
            if let shift = try await roster.shift(id).clockedOut(at: now) { try await roster.finish(shift) }
            try await roster.settle(pay)
        }
    }
}
