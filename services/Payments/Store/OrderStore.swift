import Contracts
import FoundationEssentials
import Postgres

/// SQL of orders. `OrderStore+lists.swift` lists them.
struct OrderStore: Sendable {
    /// Inserts an order.
    ///
    /// - Returns: Its ID; nil when the listing is reserved, the account has an open order for the post, or the code is
    ///   taken.
    func insert(_ order: Order, in transaction: PostgresTransaction) async throws -> OrderID? {
        try await transaction.optional("\(Self.insertion(order)) ON CONFLICT DO NOTHING RETURNING id") {
            try $0.decode(OrderID.self)
        }
    }

    /// Inserts an order for a claimed payment. The payment must be locked.
    ///
    /// - Throws: `PaymentsError.boundElsewhere` when another payment with the same code is being claimed.
    func insertClaimed(_ order: Order, in transaction: PostgresTransaction) async throws -> OrderID {
        // The order is inserted as paid, so that it does not conflict with an open order of the account for the same
        // post.
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

    /// Those of the codes that orders have.
    func known(_ codes: Set<String>, in database: some Querying) async throws -> Set<String> {
        Set(
            try await database.all("SELECT code FROM orders WHERE code = ANY(\(Array(codes)))") {
                try $0.decode(String.self)
            }
        )
    }

    /// Locks an order until the transaction ends.
    func lock(code: String, in transaction: PostgresTransaction) async throws -> Order? {
        try await transaction.run(lock(code: code))
    }

    func lock(code: String) -> Statement<Order?> {
        .optional("SELECT \(Order.columns) FROM orders o WHERE o.code = \(code) FOR UPDATE", Order.read)
    }

    /// If no order has this code, locks the code against a concurrent claim until the transaction ends.
    func lockCodeUnlessOrdered(_ code: String) -> Statement<Int> {
        .execute(
            """
            SELECT pg_advisory_xact_lock(hashtextextended('code ' || current_schema() || \(code), 0))
            WHERE NOT EXISTS (SELECT 1 FROM orders WHERE code = \(code))
            """
        )
    }

    /// The order that holds a listing.
    func reservation(of listing: PublicID, in database: some Querying) async throws -> Order? {
        try await database.optional(
            """
            SELECT \(Order.columns) FROM orders o
            WHERE o.subject = \(listing) AND o.app = 'anlaka' AND o.state IN ('open', 'paid')
            """,
            Order.read
        )
    }

    /// An account's open order for a post.
    func open(by account: AccountID, for post: PublicID, in database: some Querying) async throws -> Order? {
        try await database.optional(
            """
            SELECT \(Order.columns) FROM orders o
            WHERE o.account_id = \(account) AND o.subject = \(post) AND o.app = 'culture' AND o.state = 'open'
            """,
            Order.read
        )
    }

    /// Records that the amount is registered with PortOne, and starts the order's hold.
    ///
    /// - Returns: false when it was recorded before, or the order has ended.
    func prepare(_ id: OrderID, at now: Date, until end: Date, check: Date, in transaction: PostgresTransaction)
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

    /// Requires a lock on the order.
    func change(_ id: OrderID, to state: Order.State, at now: Date) -> Statement<Int> {
        // Expired orders are polled for late payments; paid ones need no more checks.
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

    /// Serializes the check for other paid orders of an account and a post until the transaction ends.
    func lockPurchases(of account: AccountID, for post: PublicID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('purchases ' || current_schema() || \(post), \(account)))"
        )
    }

    func hasPaid(_ account: AccountID, for post: PublicID, in database: some Querying) async throws -> Bool {
        try await database.one(
            """
            SELECT EXISTS (SELECT 1 FROM orders
                WHERE subject = \(post) AND account_id = \(account) AND app = 'culture' AND state = 'paid')
            """
        ) { try $0.decode(Bool.self) }
    }
}

extension Order {
    /// The columns of an order, for a table or alias `o`.
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
