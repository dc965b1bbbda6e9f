import Events
import FoundationEssentials
import Logging
import Postgres
import ServiceKit

/// Polls PortOne for payments of open orders by their code, so that a payment counts even if the app was closed before
/// it could report it, and expires orders. While PortOne is unavailable, no order expires; none can be placed then
/// either.
struct OrderPolling: Sendable {
    let database: PostgresClient
    let portOne: PortOneClient
    let settlement: PaymentProcessor
    let outbox: Outbox
    /// Woken when refunds may be due.
    let refunds: AsyncSignal
    /// Seconds between two requests for an open order.
    let pause: TimeInterval
    /// Seconds for which a taken order is reserved for this replica.
    let lease: TimeInterval
    let now: @Sendable () -> Date
    private let store = OrderStore()

    /// Checks the orders that are due.
    ///
    /// - Returns: Whether there may be more.
    func checkDue() async throws -> Bool {
        let now = now()
        let codes = try await store.takeDue(at: now, limit: 16, until: now + lease, in: database)
        await withDiscardingTaskGroup { group in
            for code in codes {
                group.addTask {
                    do {
                        try await check(code)
                    } catch {
                        Logger.current.info(
                            "orders: PortOne could not be polled, will retry",
                            error: error,
                            metadata: ["order": "\(code)"]
                        )
                    }
                }
            }
        }
        return !codes.isEmpty
    }

    /// Processes the payments under a code, and then expires the order if its time is up or its user gives it up.
    ///
    /// - Throws: `ProviderUnavailable`; the order is unchanged then.
    func check(_ code: String, givingUp: Bool = false) async throws {
        guard let order = try await store.order(code: code, in: database) else { return }
        // Payments made before this time are contained in PortOne's response, so expiry is decided by it.
        let askedAt = now()
        // The code of an unregistered order was never sent to a client.
        if order.preparedAt != nil { try await settleAll(under: code) }
        try await database.transaction(key: "order \(code)") { transaction in
            guard let order = try await store.lock(code: code, in: transaction) else { return }
            let now = now()
            let isOver = order.isOver(at: askedAt, givingUp: givingUp)
            if order.state == .open, isOver {
                try await OrderChange(outbox: outbox, now: now).apply(.expired, to: order, in: transaction)
            }
            let next = order.nextCheck(isOver: isOver, pause: pause, at: now)
            try await store.check(order.id, at: next, in: transaction)
        }
    }

    /// Expires an order that was not registered with PortOne, so that its code is not known to any client. Does nothing
    /// if another request has registered it meanwhile.
    func abandon(_ code: String) async throws {
        try await database.transaction(key: "order \(code)") { transaction in
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
                _ = try await database.transaction(key: "order \(code)") {
                    try await settlement.settle(report, by: .timer, in: $0)
                }
            } catch PaymentsError.boundElsewhere {
                Logger.current.error(
                    "orders: the order code or currency of a payment has changed",
                    metadata: ["imp_uid": "\(report.impUID)"]
                )
            }
        }
        refunds.wake()
    }
}
