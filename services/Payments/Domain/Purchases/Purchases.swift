import Contracts
import FoundationEssentials
import InternalClient
import Logging
import People
import Postgres
import Providers
import ServiceHost

/// What people of Seoul Culture pay for posts that ask for money (contract 4.5 and 6). The shipped app pays first, under a
/// code of its own, and says afterwards what it was for: whoever says so first, soon enough, has paid. Newer clients
/// order first, and nobody else can say that it was them.
struct Purchases: Sendable {
    let database: PostgresClient
    let people: People
    let community: InternalClient
    let portOne: PortOneClient
    let open: OpenOrders
    let settlement: Settlement
    /// Woken when there may be money to give back.
    let refunds: Waker
    /// For so long an order may be paid, in seconds.
    let hold: TimeInterval
    let now: @Sendable () -> Date
    private let payments = PaymentStore()
    private let orders = OrderStore()
    private let audit = AuditStore()

    init(
        database: PostgresClient,
        people: People,
        community: InternalClient,
        portOne: PortOneClient,
        open: OpenOrders,
        settlement: Settlement,
        refunds: Waker,
        hold: TimeInterval,
        now: @escaping @Sendable () -> Date
    ) {
        self.database = database
        self.people = people
        self.community = community
        self.portOne = portOne
        self.open = open
        self.settlement = settlement
        self.refunds = refunds
        self.hold = hold
        self.now = now
    }

    /// So many are listed, the latest.
    static let listLimit = 1000
    /// The codes of the shipped app: `ios_KEY_SECONDS`.
    static let shape = "^ios_.*_[0-9]{10}$"

    /// Looks again, at PortOne, whether somebody has paid for a post. The same again for who asks again.
    ///
    /// - Throws: `PaymentsError`, `PersonUnknown`, `InternalCallError`; `ProviderUnavailable` while PortOne does not answer:
    ///   nothing has changed then.
    func validate(_ impUID: String, for post: String, by account: Int64) async throws -> Purchase {
        guard ImpUID.isOne(impUID) else { throw PaymentsError.paymentUnknown }
        try await people.person(account)
        do {
            return try await purchase(impUID, for: post, by: account)
        } catch PaymentsError.boundElsewhere {
            // Two who say that they have paid by one payment: somebody should look at it.
            let note = PaymentDesk.Note(action: "claimed_by_another", detail: "post \(post)")
            Logger.current.warning("a payment is claimed twice", metadata: ["imp_uid": "\(impUID)"])
            _ = try await database.run(
                audit.insert([note], by: .account(account), order: nil, payment: impUID, at: now())
            )
            throw PaymentsError.boundElsewhere
        }
    }

    private func purchase(_ impUID: String, for post: String, by account: Int64) async throws -> Purchase {
        if let (order, payment) = try await payments.payment(impUID, in: database), payment.verdict == .confirmed {
            guard order.app == .culture, order.account == account, order.subject == post else {
                throw PaymentsError.boundElsewhere
            }
            if let refusal = payment.refusal { throw refusal }
            return try await Purchase(order, payment, buyer: people.person(account).publicID)
        }
        let offer = try await offer(post)
        guard let report = try await portOne.payment(impUID) else { throw PaymentsError.paymentUnknown }
        let claim = Settlement.Claim(account: account, post: post, offer: offer)
        let outcome = try await database.transaction { transaction in
            try await people.lock(account, in: transaction)
            return try await settlement.settle(report, by: .account(account), claim: claim, in: transaction)
        }
        refunds.wake()
        if let refusal = outcome.payment.refusal { throw refusal }
        guard let order = outcome.order else { throw PaymentsError.orderNotFound }
        return try await Purchase(order, outcome.payment, buyer: people.person(account).publicID)
    }

    /// Orders what a post asks for, at its price of now. Who has ordered it already, and not paid, gets the same order.
    ///
    /// - Throws: `PaymentsError`, `PersonUnknown`, `InternalCallError`, `ProviderUnavailable`.
    func order(_ post: String, by account: Int64) async throws -> Order {
        try await people.person(account)
        let offer = try await offer(post)
        let (now, price) = (now(), offer.price ?? 0)
        for _ in 0..<4 {
            if let order = try await orders.open(by: account, for: post, in: database) {
                if order.heldUntil > now, order.preparedAt != nil, order.amount == price { return order }
                // It ends, unless it was paid and nobody has said so yet.
                try await open.check(order.code, givingUp: true)
            }
            var order = Order(
                id: 0,
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
            let isMade = try await database.transaction { [order] transaction in
                try await people.lock(account, in: transaction)
                guard let id = try await orders.insert(order, in: transaction) else { return false }
                return try await orders.prepare(id, at: now, until: now + hold, check: now + hold, in: transaction)
            }
            if isMade { return order }
        }
        throw PaymentsError.keyBusy
    }

    /// What somebody has paid for, the latest first.
    func list(of account: Int64) async throws -> [Purchase] {
        let buyer = try await people.person(account).publicID
        return try await orders.purchases(of: account, limit: Self.listLimit, in: database).map {
            Purchase($0, $1, buyer: buyer)
        }
    }

    /// Sends back what somebody has paid with the shipped app and nobody has said is theirs.
    ///
    /// - Returns: whether there may be more.
    func sendBackUnclaimed() async throws -> Bool {
        let before = now() - settlement.claimWindow
        let found = try await payments.unclaimed(paidBefore: before, shape: Self.shape, limit: 32, in: database)
        for impUID in found {
            try await database.transaction { try await settlement.giveUp(impUID, in: $0) }
        }
        if !found.isEmpty { refunds.wake() }
        return found.count == 32
    }

    private func offer(_ post: String) async throws -> CommunityAPI.Offer {
        guard PublicID.isOne(post) else { throw PaymentsError.postNotFound }
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
    /// What receipts call it.
    var productName: String { title.flatMap { $0.isEmpty ? nil : $0 } ?? "후원하기" }
}
