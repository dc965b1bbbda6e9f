import Contracts
import FoundationEssentials
import Postgres
import Values

/// Reminders: shifts that start soon, routines on the day of a shift, and pay days. Each is published once when it is
/// due, also across restarts and with several replicas. A reminder planned for a past time is not published.
struct Reminders: Sendable {
    let database: PostgresClient
    let alerts: Alerts
    let now: @Sendable () -> Date
    private let store = ReminderStore()

    /// The time of a pay day reminder, in minutes after midnight.
    static let payDayMinute = 9 * 60
    /// Seconds between the reminder and the start of a shift.
    static let shiftLead: TimeInterval = 30 * 60
    /// Seconds after which a reminder, delayed for example by an outage, is dropped.
    private static let latest: TimeInterval = 3600
    /// The number of reminders that one transaction publishes.
    static let batch = 500

    enum Kind: String, Sendable, CaseIterable {
        case shift
        case routine
        case payDay = "pay_day"
    }

    /// A due reminder, with a key that orders reminders of the same time.
    struct Due: Sendable {
        var at: Date
        var key: [Int64]
        var alert: WorkforceEvents.MemberAlerted
    }

    /// The last reminder of a kind that was sent.
    struct Mark: Sendable, Equatable {
        var through: Date
        var key: [Int64]
    }

    /// Publishes the due reminders of a kind.
    ///
    /// - Returns: their number, at most `batch`; nil while another replica does it.
    func send(_ kind: Kind) async throws -> Int? {
        try await database.transaction { transaction in
            let now = now()
            guard let last = try await store.lock(kind, in: transaction) else { return nil }
            guard last.through <= now else { return 0 }
            let earliest = now - Self.latest
            let mark = last.through < earliest ? Mark(through: earliest, key: []) : last
            let due = try await self.due(kind, after: mark, until: now, in: transaction)
            try await alerts.announce(due.map(\.alert), in: transaction)
            let isAll = due.count < Self.batch
            // All reminders up to and including this time are sent.
            let all = Mark(through: now, key: [.max])
            let end = isAll ? all : due.last.map { Mark(through: $0.at, key: $0.key) } ?? all
            try await store.save(end, of: kind, in: transaction)
            return due.count
        }
    }

    private func due(
        _ kind: Kind,
        after mark: Mark,
        until now: Date,
        in transaction: PostgresTransaction
    ) async throws -> [Due] {
        switch kind {
        case .shift:
            return try await store.dueShifts(after: mark, until: now, limit: Self.batch, in: transaction)
        case .routine:
            return try await store.dueRoutines(after: mark, until: now, limit: Self.batch, in: transaction)
        case .payDay:
            let days = (SeoulTime.date(of: mark.through).dayNumber...SeoulTime.date(of: now).dayNumber)
                .map(CivilDate.init(dayNumber:))
            var due: [Due] = []
            for day in days where due.count < Self.batch {
                let at = SeoulTime.instant(day, minute: Self.payDayMinute)
                guard at >= mark.through, at <= now else { continue }
                let limit = Self.batch - due.count
                let after = at == mark.through ? mark.key.first.map { WorkerID(rawValue: $0) } : nil
                due += try await store.duePayDays(
                    on: day,
                    at: at,
                    after: after ?? .beforeAll,
                    limit: limit,
                    in: transaction
                )
            }
            return due
        }
    }
}
