import Contracts
import Events
import FoundationEssentials
import Postgres
import Profiles
import ServiceKit

/// Orders of Anlaka, which reserve listings (contract 2.5, 4.7 and 7). The price is the listing's, whatever the client
/// sends; it is registered with PortOne in advance, so that the payment window accepts no other amount.
struct Orders: Sendable {
    let database: PostgresClient
    let people: People
    let estate: InternalClient
    let portOne: PortOneClient
    let open: OrderPolling
    let outbox: Outbox
    /// Seconds for which an unpaid order holds its listing.
    let hold: TimeInterval
    let now: @Sendable () -> Date
    private let store = OrderStore()

    // MARK: Placing

    /// Reserves a listing until it is paid or the time is up. A repeated request of the same user returns the same
    /// order.
    ///
    /// - Parameter price: The price shown by the client, in won; nil when it sends none.
    /// - Throws: `PaymentsError`, `PersonUnknown`, `ProviderUnavailable`, `InternalCallError`.
    func place(_ listing: PublicID, at price: Int64?, by account: AccountID) async throws -> Order {
        try await people.person(account)
        let listing = try await self.listing(listing, for: account)
        guard listing.reservationPrice > 0 else {
            throw PaymentsError.rule("estate_id must be of an estate that can be reserved for money.")
        }
        guard price == nil || price == listing.reservationPrice else {
            throw PaymentsError.rule("total_price must be the estate's reservation_price, \(listing.reservationPrice).")
        }
        let order = try await reserve(listing, for: account)
        TraceSubject.order.note(order.shownCode)
        guard order.preparedAt == nil else { return order }
        return try await prepare(order)
    }

    /// Attempts to insert an order against concurrent ones.
    private static let attempts = 4

    private func reserve(_ listing: EstateAPI.Listing, for account: AccountID) async throws -> Order {
        for _ in 0..<Self.attempts {
            if let order = try await insert(listing, for: account) { return order }
            // The code was taken, or the conflicting order has just ended.
            guard let other = try await store.reservation(of: listing.id, in: database) else { continue }
            if other.state == .open, other.heldUntil <= now() {
                try await open.check(other.code)
            } else if other.state == .open, other.account == account {
                return other
            } else {
                throw PaymentsError.reserved
            }
        }
        throw PaymentsError.reserved
    }

    private func insert(_ listing: EstateAPI.Listing, for account: AccountID) async throws -> Order? {
        let now = now()
        var order = Order(
            id: .unassigned,
            app: .anlaka,
            code: Order.randomCode(),
            account: account,
            subject: listing.id,
            name: listing.title,
            amount: listing.reservationPrice,
            listing: listing,
            heldUntil: now + Self.preparation,
            createdAt: now,
            updatedAt: now
        )
        return try await database.transaction(key: "listing \(listing.id)") { transaction in
            try people.lock(account, in: transaction)
            guard let id = try await store.insert(order, in: transaction) else { return nil }
            order.id = id
            return order
        }
    }

    /// Seconds for the registration with PortOne.
    private static let preparation: TimeInterval = 30

    /// Registers the amount with PortOne, and then starts the order's hold.
    private func prepare(_ order: Order) async throws -> Order {
        do {
            try await portOne.prepare(order.code, Money.won(order.amount))
        } catch {
            // No client knows the code, so the order cannot be paid; ending it frees the listing at once.
            try? await open.abandon(order.code)
            throw error
        }
        let now = now()
        let end = now + hold
        try await database.transaction { transaction in
            let check = min(end, now + open.pause)
            guard try await store.prepare(order.id, at: now, until: end, check: check, in: transaction) else { return }
            try OrderChange(outbox: outbox, now: now).hold(order, until: end, in: transaction)
        }
        guard let order = try await store.order(code: order.code, in: database), order.state == .open,
            order.preparedAt != nil
        else { throw PaymentsError.reserved }
        return order
    }

    // MARK: Cancelling

    /// Gives up the caller's unpaid order. Does nothing when it has ended.
    ///
    /// - Throws: `PaymentsError.orderNotFound`, `.notYours`, `.orderPaid`; `ProviderUnavailable`.
    func giveUp(_ code: String, by account: AccountID) async throws {
        let order = try await order(code, of: account)
        if order.state == .open { try await open.check(code, givingUp: true) }
        let state = try await self.order(code, of: account).state
        guard state == .expired || state == .refunded else { throw PaymentsError.orderPaid }
    }

    // MARK: Reading

    /// The caller's order.
    ///
    /// - Throws: `PaymentsError.orderNotFound`, `.notYours`.
    func order(_ code: String, of account: AccountID) async throws -> Order {
        guard !code.utf8.contains(0), let order = try await store.order(code: code, in: database), order.app == .anlaka
        else { throw PaymentsError.orderNotFound }
        guard order.account == account else { throw PaymentsError.notYours }
        TraceSubject.order.note(order.shownCode)
        return order
    }

    /// The caller's paid orders, newest first, with the current state of their listings. If a listing was deleted or
    /// estate is unavailable, the state at the time of the order is used.
    func paid(by account: AccountID, after cursor: PageCursor?, limit: Int) async throws -> Page<Order> {
        let found = try await store.paid(by: account, after: cursor, limit: limit, in: database)
        var page = Page(found.map { (item: $0, cursor: $1) }, limit: limit)
        let path = EstateAPI.Listings.path(page.items.map(\.subject), viewer: account)
        guard !page.items.isEmpty,
            let answer = try? await estate.get(path, as: EstateAPI.Listings.self, deadline: .seconds(1))
        else { return page }
        let listings = Dictionary(answer.listings.map { ($0.id, $0) }) { first, _ in first }
        for index in page.items.indices {
            if let listing = listings[page.items[index].subject] { page.items[index].listing = listing }
        }
        return page
    }

    private func listing(_ id: PublicID, for account: AccountID) async throws -> EstateAPI.Listing {
        let answer = try await estate.get(EstateAPI.Listings.path([id], viewer: account), as: EstateAPI.Listings.self)
        guard let listing = answer.listings.first else { throw PaymentsError.listingNotFound }
        return listing
    }
}
