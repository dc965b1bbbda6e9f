import Contracts
import FoundationEssentials
import Postgres
import ServiceKit

/// Verifies with PortOne whether a payment has paid for an order of Anlaka (contract 4.7 and 7). The order is
/// determined by PortOne's response alone.
struct Validation: Sendable {
    let database: PostgresClient
    let portOne: PortOneClient
    let settlement: PaymentProcessor
    /// Woken when refunds may be due.
    let refunds: AsyncSignal
    private let store = PaymentStore()

    /// The verified payment and its order. Idempotent.
    ///
    /// - Throws: `PaymentsError`; `ProviderUnavailable` while PortOne is unavailable, and nothing is changed then.
    func validate(_ impUID: ImpUID, by account: AccountID) async throws -> (order: Order, payment: Payment) {
        if let (order, payment) = try await store.payment(impUID, in: database), payment.verdict == .confirmed {
            guard order.app == .anlaka else { throw PaymentsError.boundElsewhere }
            guard order.account == account else { throw PaymentsError.notYours }
            TraceSubject.payment.note(impUID.rawValue)
            TraceSubject.order.note(order.shownCode)
            if let refusal = payment.refusal { throw refusal }
            return (order, payment)
        }
        guard let report = try await portOne.payment(impUID) else { throw PaymentsError.paymentUnknown }
        let outcome = try await database.transaction(key: "payment \(impUID)") { transaction in
            let outcome = try await settlement.settle(report, by: .account(account), payer: account, in: transaction)
            // A payment without an order cannot be one of Anlaka's.
            guard let order = outcome.order else { throw PaymentsError.orderNotFound }
            guard order.app == .anlaka else { throw PaymentsError.boundElsewhere }
            return outcome
        }
        refunds.wake()
        if let refusal = outcome.payment.refusal { throw refusal }
        guard let order = outcome.order else { throw PaymentsError.orderNotFound }
        return (order, outcome.payment)
    }

    /// The payment of an order: the one that has paid for it, or else the latest.
    ///
    /// - Throws: `PaymentsError.orderNotFound` when there is no payment.
    func payment(of order: Order) async throws -> Payment {
        guard let payment = try await store.payment(of: order.id, in: database) else {
            throw PaymentsError.orderNotFound
        }
        return payment
    }
}
