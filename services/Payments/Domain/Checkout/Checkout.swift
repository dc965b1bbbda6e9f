import Authentication
import Contracts
import FoundationEssentials
import Postgres
import Profiles
import ServiceKit

/// The page on which an Anlaka user pays for an order (contract 4.7).
///
/// Each page has its own token, which is valid for one order, until an hour after the order's end. The token allows
/// reading the order's state and verifying payments, and nothing else. Payments are always verified with PortOne.
struct Checkout: Sendable {
    let database: PostgresClient
    let people: People
    let orders: Orders
    let openOrders: OrderPolling
    let validation: Validation
    let now: @Sendable () -> Date
    private let store = CheckoutStore()
    private let payments = PaymentStore()

    /// Seconds for which a page stays valid after its order has ended.
    private static let afterwards: TimeInterval = 3600

    // MARK: Opening

    /// Creates a page for the caller's order.
    ///
    /// - Throws: `PaymentsError.orderNotFound`, `.notYours`; `PersonUnknown`.
    func open(_ code: String, by account: AccountID) async throws -> CheckoutOpening {
        let buyer = try await people.person(account).shownName
        let order = try await orders.order(code, of: account)
        // The code of an unregistered order was never sent to a client.
        guard order.preparedAt != nil else { throw PaymentsError.orderNotFound }
        let now = now()
        let end = max(order.heldUntil, now) + Self.afterwards
        let token = PageToken.make()
        try await database.transaction(key: "account \(account)") { transaction in
            try people.lock(account, in: transaction)
            try await store.delete(before: now, in: transaction)
            try await store.insert(PageToken.hash(token), for: order, until: end, in: transaction)
        }
        return CheckoutOpening(token: token, tokenEnd: end, order: order, buyer: buyer, now: now)
    }

    /// The page of an existing token, as after a redirect from PortOne's window.
    ///
    /// - Throws: `PaymentsError.pageUnknown`; `PersonUnknown`.
    func reopen(_ code: String, page token: String) async throws -> CheckoutOpening {
        let (order, end) = try await order(code, page: token)
        let buyer = try await people.person(order.account).shownName
        return CheckoutOpening(token: token, tokenEnd: end, order: order, buyer: buyer, now: now())
    }

    // MARK: Result

    /// The state of an order, after a request to PortOne if necessary.
    ///
    /// - Parameters:
    ///   - token: The token of a page of the order.
    ///   - impUID: The payment reported by the page; nil when it has none.
    /// - Throws: `PaymentsError.pageUnknown`, `.paymentUnknown`, `.orderNotFound`, `.notYours`, `.boundElsewhere`.
    func result(_ code: String, page token: String, of impUID: ImpUID?) async throws -> CheckoutState {
        let (order, _) = try await order(code, page: token)
        do {
            guard let impUID else { return try await state(of: order) }
            return try await state(of: order, paidBy: impUID)
        } catch is ProviderUnavailable {
            // A webhook may have confirmed the payment meanwhile.
            let known = try await standing(of: code, nil)
            return known.name == .paid ? known : .checking
        }
    }

    /// - Throws: `ProviderUnavailable`.
    private func state(of order: Order) async throws -> CheckoutState {
        // The payment may have been made without a report: the window was closed, and the webhook has not arrived.
        if order.state == .open || order.state == .expired { try await openOrders.check(order.code) }
        return try await standing(of: order.code, nil)
    }

    private func state(of order: Order, paidBy impUID: ImpUID) async throws -> CheckoutState {
        do {
            _ = try await validation.validate(impUID, by: order.account)
        } catch PaymentsError.unpaid(_), PaymentsError.rejected(_), PaymentsError.paymentReturned {
            // The state below contains the reason.
        }
        guard let (paid, payment) = try await payments.payment(impUID, in: database), paid.id == order.id else {
            throw PaymentsError.boundElsewhere
        }
        let state = try await standing(of: order.code, payment)
        guard state.name == .checking else { return state }
        try await openOrders.check(order.code)
        return try await standing(of: order.code, payment)
    }

    /// - Parameter payment: The payment in question; nil for the one that has paid, or else the latest.
    private func standing(of code: String, _ payment: Payment?) async throws -> CheckoutState {
        guard let order = try await OrderStore().order(code: code, in: database) else {
            throw PaymentsError.orderNotFound
        }
        let latest = payment == nil ? try await payments.payment(of: order.id, in: database) : payment
        return CheckoutState(order, latest, at: now())
    }

    /// The order of a page.
    ///
    /// - Throws: `PaymentsError.pageUnknown`.
    private func order(_ code: String, page token: String) async throws -> (Order, end: Date) {
        guard !code.utf8.contains(0),
            let found = try await store.order(code, ofPage: PageToken.hash(token), at: now(), in: database)
        else { throw PaymentsError.pageUnknown }
        return found
    }
}
