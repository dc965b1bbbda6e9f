import FoundationEssentials
import Logging
import Postgres
import Providers
import ServiceHost

/// PortOne's webhooks: kept and answered at once, and then looked into, by asking PortOne itself what has become of the
/// payment. They may come twice, late, in any order, before or after the app's own call, and from anybody.
struct Notices: Sendable {
    let database: PostgresClient
    let portOne: PortOneClient
    let settlement: Settlement
    /// Woken when there may be money to give back.
    let refunds: Waker
    /// For so many seconds a notice that was taken is taken by nobody else.
    let lease: TimeInterval
    let now: @Sendable () -> Date
    /// Woken when there is something to look into.
    let waker = Waker()
    private let store = NoticeStore()

    init(
        database: PostgresClient,
        portOne: PortOneClient,
        settlement: Settlement,
        refunds: Waker,
        lease: TimeInterval,
        now: @escaping @Sendable () -> Date
    ) {
        self.database = database
        self.portOne = portOne
        self.settlement = settlement
        self.refunds = refunds
        self.lease = lease
        self.now = now
    }

    func receive(_ notice: Notice) async throws {
        try await store.save(notice, at: now(), in: database)
        waker.wake()
    }

    /// Looks into what was told.
    ///
    /// - Returns: whether there may be more.
    func lookIntoDue() async throws -> Bool {
        let now = now()
        let due = try await store.takeDue(at: now, limit: 16, until: now + lease, in: database)
        await withDiscardingTaskGroup { group in
            for notice in due { group.addTask { await lookInto(notice) } }
        }
        return !due.isEmpty
    }

    /// Forgets what was looked into long ago.
    func prune() async throws {
        try await store.prune(before: now() - Self.remembered, in: database)
    }

    private static let remembered: TimeInterval = 30 * 86_400

    private func lookInto(_ notice: DueNotice) async {
        do {
            if try await settle(notice.impUID) {
                try await store.rest(notice, until: nil, in: database)
            } else {
                // Anybody may say anything; what is nothing is not kept.
                try await store.forget(notice, in: database)
            }
        } catch {
            Logger.current.info("a webhook waits", error: error, metadata: ["imp_uid": "\(notice.impUID)"])
            let pause = min(300, Double(1 << min(notice.attempts, 9)) / 2) * Double.random(in: 0.75...1.25)
            _ = try? await store.rest(notice, until: now() + pause, in: database)
        }
    }

    /// - Returns: false for what PortOne knows nothing of.
    private func settle(_ impUID: String) async throws -> Bool {
        guard let report = try await portOne.payment(impUID) else {
            Logger.current.info("a webhook tells of a payment that is none", metadata: ["imp_uid": "\(impUID)"])
            return false
        }
        do {
            _ = try await database.transaction { try await settlement.settle(report, by: .portOne, in: $0) }
            refunds.wake()
        } catch PaymentsError.boundElsewhere {
            Logger.current.error("PortOne tells of a payment under another order", metadata: ["imp_uid": "\(impUID)"])
        }
        return true
    }
}
