import Contracts
import FoundationEssentials
import Logging
import Postgres
import Profiles
import ServiceKit

/// Payments for Seoul Culture's posts (contract 4.5 and 6). The shipped app pays first, under a code of its own, and
/// reports afterwards what the payment was for: the first user to claim a payment within `claimWindow` owns it. Newer
/// clients order first, which excludes claims by other users.
struct Purchases: Sendable {
    let database: PostgresClient
    let people: People
    let community: InternalClient
    let portOne: PortOneClient
    let open: OrderPolling
    let settlement: PaymentProcessor
    /// Woken when refunds may be due.
    let refunds: AsyncSignal
    /// Seconds for which an order can be paid.
    let hold: TimeInterval
    let now: @Sendable () -> Date
    private let payments = PaymentStore()
    private let orders = OrderStore()
    private let audit = AuditStore()

    /// Maximum length of a list.
    static let listLimit = 1000
    /// Order codes of the shipped app, `ios_KEY_SECONDS`, as a regular expression.
    static let shape = "^ios_.*_[0-9]{10}$"

    /// Verifies with PortOne whether a payment was made for a post, and claims it for the user. Idempotent.
    ///
    /// - Throws: `PaymentsError`, `PersonUnknown`, `InternalCallError`; `ProviderUnavailable` while PortOne is
    ///   unavailable, and nothing is changed then.
    func validate(_ impUID: ImpUID, for post: PublicID, by account: AccountID) async throws -> Purchase {
        try await people.person(account)
        do {
            return try await purchase(impUID, for: post, by: account)
        } catch PaymentsError.boundElsewhere {
            // Two users claim the same payment, which an operator should investigate.
            let note = PaymentChanges.Note(action: "claimed_by_another", detail: "post \(post)")
            Logger.current.warning(
                "purchases: a payment is claimed by another account",
                metadata: ["imp_uid": "\(impUID)"]
            )
            _ = try await database.run(
                audit.insert([note], by: .account(account), order: nil, payment: impUID, at: now())
            )
            throw PaymentsError.boundElsewhere
        }
    }

    private func purchase(_ impUID: ImpUID, for post: PublicID, by account: AccountID) async throws -> Purchase {
        if let (order, payment) = try await payments.payment(impUID, in: database), payment.verdict == .confirmed {
            guard order.app == .culture, order.account == account, order.subject == post else {
                throw PaymentsError.boundElsewhere
            }
            TraceSubject.payment.note(impUID.rawValue)
            TraceSubject.order.note(order.shownCode)
            if let refusal = payment.refusal { throw refusal }
            return try await Purchase(order, payment, buyer: people.person(account).publicID)
        }
        let offer = try await offer(post)
        guard let report = try await portOne.payment(impUID) else { throw PaymentsError.paymentUnknown }
        let claim = PaymentProcessor.Claim(account: account, post: post, offer: offer)
        let outcome = try await database.transaction(key: "payment \(impUID)") { transaction in
            try people.lock(account, in: transaction)
            return try await settlement.settle(report, by: .account(account), claim: claim, in: transaction)
        }
        refunds.wake()
        if let refusal = outcome.payment.refusal { throw refusal }
        guard let order = outcome.order else { throw PaymentsError.orderNotFound }
        return try await Purchase(order, outcome.payment, buyer: people.person(account).publicID)
    }

    /// Orders a post at its current price. A repeated request returns the user's open order.
    ///
    /// - Throws: `PaymentsError`, `PersonUnknown`, `InternalCallError`, `ProviderUnavailable`.
    func order(_ post: PublicID, by account: AccountID) async throws -> Order {
        try await people.person(account)
        let offer = try await offer(post)
        let (now, price) = (now(), offer.price ?? 0)
        for _ in 0..<4 {
            if let order = try await orders.open(by: account, for: post, in: database) {
                if order.heldUntil > now, order.preparedAt != nil, order.amount == price { return order }
                // The order expires, unless a payment was made and not reported yet.
                try await open.check(order.code, givingUp: true)
            }
            var order = Order(
                id: .unassigned,
                app: .culture,
                code: Order.randomCode(),
                account: account,
                subject: post,
                name: offer.productName,
                amount: price,
                heldUntil: now + hold,
                createdAt: now,
                updatedAt: now
            )
            try await portOne.prepare(order.code, Money.won(price))
            order.preparedAt = now
            let isMade = try await database.transaction(key: "account \(account)") { [order] transaction in
                try people.lock(account, in: transaction)
                guard let id = try await orders.insert(order, in: transaction) else { return false }
                return try await orders.prepare(id, at: now, until: now + hold, check: now + hold, in: transaction)
            }
            if isMade { return order }
        }
        throw PaymentsError.keyBusy
    }

    /// The purchases of an account, newest first.
    func list(of account: AccountID) async throws -> [Purchase] {
        let buyer = try await people.person(account).publicID
        return try await orders.purchases(of: account, limit: Self.listLimit, in: database).map {
            Purchase($0, $1, buyer: buyer)
        }
    }

    /// Marks unclaimed payments of the shipped app for refund.
    ///
    /// - Returns: Whether there may be more.
    func sendBackUnclaimed() async throws -> Bool {
        let before = now() - settlement.claimWindow
        let found = try await payments.unclaimed(paidBefore: before, shape: Self.shape, limit: 32, in: database)
        for impUID in found {
            try await database.transaction { try await settlement.giveUp(impUID, in: $0) }
        }
        if !found.isEmpty { refunds.wake() }
        return found.count == 32
    }

    private func offer(_ post: PublicID) async throws -> CommunityAPI.Offer {
        do {
            let offer = try await community.get(CommunityAPI.Offer.path(post), as: CommunityAPI.Offer.self)
            guard offer.price ?? 0 > 0 else { throw PaymentsError.notForSale }
            return offer
        } catch InternalCallError.refused(_, status: 404) {
            throw PaymentsError.postNotFound
        }
    }
}

extension CommunityAPI.Offer {
    /// Product name on receipts.
    var productName: String { title.flatMap { $0.isEmpty ? nil : $0 } ?? "후원하기" }
}
