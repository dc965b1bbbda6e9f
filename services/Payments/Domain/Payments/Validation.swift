import Contracts
import FoundationEssentials
import Postgres
import Providers
import ServiceHost

/// Looks again, at PortOne, whether a payment that an app shows has paid for an order of Anlaka (contract 4.7 and 7). The order
/// is found by what PortOne says alone.
struct Validation: Sendable {
    let database: PostgresClient
    let portOne: PortOneClient
    let settlement: Settlement
    /// Woken when there may be money to give back.
    let refunds: Waker
    private let store = PaymentStore()

    init(database: PostgresClient, portOne: PortOneClient, settlement: Settlement, refunds: Waker) {
        self.database = database
        self.portOne = portOne
        self.settlement = settlement
        self.refunds = refunds
    }

    /// What was paid, and for what. The same again for who asks again.
    ///
    /// - Throws: `PaymentsError`; `ProviderUnavailable` while PortOne does not answer: nothing has changed then.
    func validate(_ impUID: String, by account: Int64) async throws -> (order: Order, payment: Payment) {
        guard ImpUID.isOne(impUID) else { throw PaymentsError.paymentUnknown }
        if let (order, payment) = try await store.payment(impUID, in: database), payment.verdict == .confirmed {
            guard order.app == .anlaka else { throw PaymentsError.boundElsewhere }
            guard order.account == account else { throw PaymentsError.notYours }
            if let refusal = payment.refusal { throw refusal }
            return (order, payment)
        }
        guard let report = try await portOne.payment(impUID) else { throw PaymentsError.paymentUnknown }
        let outcome = try await database.transaction { transaction in
            let outcome = try await settlement.settle(report, by: .account(account), payer: account, in: transaction)
            // A payment of nobody's order is nobody's business here.
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
    /// - Throws: `PaymentsError.orderNotFound` when there is none yet.
    func payment(of order: Order) async throws -> Payment {
        guard let payment = try await store.payment(of: order.id, in: database) else {
            throw PaymentsError.orderNotFound
        }
        return payment
    }
}
