import FoundationEssentials
import Logging
import Outbox
import Postgres
import Providers
import ServiceHost

/// Orders that wait for their money: PortOne is asked after them by their code, so that a payment counts whose app was closed
/// before it could say so; and they end when their time is up. As long as PortOne does not answer, none ends, and none
/// could be made either.
struct OpenOrders: Sendable {
    let database: PostgresClient
    let portOne: PortOneClient
    let settlement: Settlement
    let outbox: Outbox
    /// Woken when there may be money to give back.
    let refunds: Waker
    /// Seconds from one question to the next while an order is open.
    let pause: TimeInterval
    /// For so many seconds an order that was taken is taken by nobody else.
    let lease: TimeInterval
    let now: @Sendable () -> Date
    private let store = OrderStore()

    init(
        database: PostgresClient,
        portOne: PortOneClient,
        settlement: Settlement,
        outbox: Outbox,
        refunds: Waker,
        pause: TimeInterval,
        lease: TimeInterval,
        now: @escaping @Sendable () -> Date
    ) {
        self.database = database
        self.portOne = portOne
        self.settlement = settlement
        self.outbox = outbox
        self.refunds = refunds
        self.pause = pause
        self.lease = lease
        self.now = now
    }

    /// So long after an order has ended it is asked whether somebody has paid all the same, at doubling pauses.
    private static let patience: TimeInterval = 86_400

    /// Asks after what is due.
    ///
    /// - Returns: whether there may be more.
    func checkDue() async throws -> Bool {
        let now = now()
        let codes = try await store.takeDue(at: now, limit: 16, until: now + lease, in: database)
        await withDiscardingTaskGroup { group in
            for code in codes {
                group.addTask {
                    do {
                        try await check(code)
                    } catch {
                        Logger.current.info("an order waits", error: error, metadata: ["order": "\(code)"])
                    }
                }
            }
        }
        return !codes.isEmpty
    }

    /// Asks PortOne what was paid under a code, and ends the order when its time is up and nobody has paid, or earlier when its
    /// owner gives it up.
    ///
    /// - Throws: `ProviderUnavailable`; the order is as it was then.
    func check(_ code: String, givingUp: Bool = false) async throws {
        guard let order = try await store.order(code: code, in: database) else { return }
        // Whoever pays while PortOne is asked, and before the order's time is up, has paid in time.
        let askedAt = now()
        // Nobody was told a code that PortOne does not know.
        if order.preparedAt != nil { try await settleAll(under: code) }
        try await database.transaction { transaction in
            guard let order = try await store.lock(code: code, in: transaction) else { return }
            let now = now()
            let isOver = givingUp || order.heldUntil <= askedAt
            if order.state == .open, isOver {
                try await OrderChange(outbox: outbox, now: now).apply(.expired, to: order, in: transaction)
            }
            try await store.check(order.id, at: next(after: order, isOver: isOver, now), in: transaction)
        }
    }

    /// Ends an order of which PortOne has taken no note, so that nobody was told its code. When somebody else has succeeded
    /// with that meanwhile, it stays.
    func abandon(_ code: String) async throws {
        try await database.transaction { transaction in
            guard let order = try await store.lock(code: code, in: transaction), order.state == .open,
                order.preparedAt == nil
            else { return }
            try await OrderChange(outbox: outbox, now: now()).apply(.expired, to: order, in: transaction)
            try await store.check(order.id, at: nil, in: transaction)
        }
    }

    private func settleAll(under code: String) async throws {
        for report in try await portOne.payments(under: code) {
            do {
                _ = try await database.transaction { try await settlement.settle(report, by: .timer, in: $0) }
            } catch PaymentsError.boundElsewhere {
                Logger.current.error("a payment has changed its order", metadata: ["imp_uid": "\(report.impUID)"])
            }
        }
        refunds.wake()
    }

    /// When to ask again; nil for not at all.
    ///
    /// - Parameter isOver: whether it has ended, if it was open.
    private func next(after order: Order, isOver: Bool, _ now: Date) -> Date? {
        if order.state == .open, !isOver {
            return order.preparedAt == nil ? order.heldUntil : min(order.heldUntil, now + pause)
        }
        guard order.state == .open || order.state == .expired, order.preparedAt != nil else { return nil }
        let since = max(pause, now.timeIntervalSince(order.heldUntil))
        return since > Self.patience ? nil : now + since
    }
}
