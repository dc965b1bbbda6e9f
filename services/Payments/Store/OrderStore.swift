import Contracts
import FoundationEssentials
import Postgres

/// All SQL of orders. `OrderStore+lists.swift` lists them.
struct OrderStore: Sendable {
    /// Makes an order.
    ///
    /// - Returns: its id; nil when its listing is reserved, somebody has one under way for its post, or the code is taken.
    func insert(_ order: Order, in transaction: PostgresTransaction) async throws -> Int64? {
        try await transaction.optional("\(Self.insertion(order)) ON CONFLICT DO NOTHING RETURNING id") {
            try $0.decode(Int64.self)
        }
    }

    /// Makes an order for a payment that began without one. The payment is locked.
    ///
    /// - Throws: `PaymentsError.boundElsewhere` when another payment under the same code is being claimed.
    func insertClaimed(_ order: Order, in transaction: PostgresTransaction) async throws -> Int64 {
        // A claim says for itself what it is for, beside what its owner has under way.
        var order = order
        (order.state, order.paidAt) = (.paid, order.createdAt)
        guard let id = try await insert(order, in: transaction) else { throw PaymentsError.boundElsewhere }
        return id
    }

    private static func insertion(_ order: Order) -> SQL {
        """
        INSERT INTO orders (public_id, app, code, account_id, subject, name, amount, listing, state, held_until, check_at,
            created_at, updated_at, paid_at)
        VALUES (\(order.publicID), \(order.app), \(order.code), \(order.account), \(order.subject), \(order.name),
            \(order.amount), \(order.listing.map(PostgresJSON.init)), \(order.state.rawValue), \(order.heldUntil),
            \(order.state == .open ? order.heldUntil : nil), \(order.createdAt), \(order.updatedAt), \(order.paidAt))
        """
    }

    func order(code: String, in database: some Querying) async throws -> Order? {
        try await database.optional("SELECT \(Order.columns) FROM orders o WHERE o.code = \(code)", Order.read)
    }

    /// Nobody else changes it before the transaction ends.
    func lock(code: String, in transaction: PostgresTransaction) async throws -> Order? {
        try await transaction.run(lock(code: code))
    }

    func lock(code: String) -> Statement<Order?> {
        .optional("SELECT \(Order.columns) FROM orders o WHERE o.code = \(code) FOR UPDATE", Order.read)
    }

    /// Where there is no order of this code, lets nobody else who does the same make one before the transaction ends.
    func lockCodeUnlessOrdered(_ code: String) -> Statement<Int> {
        .execute(
            """
            SELECT pg_advisory_xact_lock(hashtextextended('code ' || current_schema() || \(code), 0))
            WHERE NOT EXISTS (SELECT 1 FROM orders WHERE code = \(code))
            """
        )
    }

    /// Which order has a listing, or is about to.
    func reservation(of listing: String, in database: some Querying) async throws -> Order? {
        try await database.optional(
            """
            SELECT \(Order.columns) FROM orders o
            WHERE o.subject = \(listing) AND o.app = 'anlaka' AND o.state IN ('open', 'paid')
            """,
            Order.read
        )
    }

    /// What somebody has under way for a post.
    func open(by account: Int64, for post: String, in database: some Querying) async throws -> Order? {
        try await database.optional(
            """
            SELECT \(Order.columns) FROM orders o
            WHERE o.account_id = \(account) AND o.subject = \(post) AND o.app = 'culture' AND o.state = 'open'
            """,
            Order.read
        )
    }

    /// PortOne has taken note of the amount: from now on it may be paid.
    ///
    /// - Returns: false when somebody has noted so before, or it is over.
    func prepare(_ id: Int64, at now: Date, until end: Date, check: Date, in transaction: PostgresTransaction)
        async throws
        -> Bool
    {
        try await transaction.execute(
            """
            UPDATE orders SET prepared_at = \(now), held_until = \(end), check_at = \(check), updated_at = \(now)
            WHERE id = \(id) AND state = 'open' AND prepared_at IS NULL
            """
        ) == 1
    }

    /// The order is locked.
    func change(_ id: Int64, to state: Order.State, at now: Date) -> Statement<Int> {
        // Whoever pays late is asked after for a while; what was paid needs no more questions.
        .execute(
            """
            UPDATE orders SET state = \(state.rawValue), updated_at = \(now),
                paid_at = CASE WHEN \(state.rawValue) = 'paid' THEN coalesce(paid_at, \(now)) ELSE paid_at END,
                check_at = CASE WHEN \(state.rawValue) IN ('paid', 'refunded') THEN NULL ELSE check_at END
            WHERE id = \(id)
            """
        )
    }

    // MARK: Purchases

    /// Lets nobody else look whether somebody has paid for a post before the transaction ends.
    func lockPurchases(of account: Int64, for post: String, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('purchases ' || current_schema() || \(post), \(account)))"
        )
    }

    func hasPaid(_ account: Int64, for post: String, in database: some Querying) async throws -> Bool {
        try await database.one(
            """
            SELECT EXISTS (SELECT 1 FROM orders
                WHERE subject = \(post) AND account_id = \(account) AND app = 'culture' AND state = 'paid')
            """
        ) { try $0.decode(Bool.self) }
    }
}

extension Order {
    /// Of a table or alias `o`.
    static let columns: SQL =
        """
        o.id, o.public_id, o.app, o.code, o.account_id, o.subject, o.name, o.amount, o.listing, o.state, o.held_until,
        o.prepared_at, o.created_at, o.updated_at, o.paid_at
        """

    /// Reads `columns`.
    init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.next(),
            publicID: try columns.next(),
            app: try columns.next(),
            code: try columns.next(),
            account: try columns.next(),
            subject: try columns.next(),
            name: try columns.next(),
            amount: try columns.next(),
            listing: try columns.next(PostgresJSON<EstateAPI.Listing>?.self)?.value,
            state: try columns.next(),
            heldUntil: try columns.next(),
            preparedAt: try columns.next(),
            createdAt: try columns.next(),
            updatedAt: try columns.next(),
            paidAt: try columns.next()
        )
    }

    static func read(_ row: borrowing Row) throws -> Order {
        try row.decode { try Order(&$0) }
    }
}

extension Order.State: PostgresDecodable {}
