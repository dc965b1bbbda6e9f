import AppClients
import Contracts
import Postgres

/// What the tables have at the end of a run.
struct ProofTables: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Moment

    /// Waits until no event waits for a subscriber and no refund for the provider, which may still change tables.
    ///
    /// - Returns: Those that wait after the limit.
    func settle(atMost limit: Duration) async throws -> [Step] {
        let end = ContinuousClock.now + limit
        while true {
            let waiting = try await waiting()
            if waiting.isEmpty || ContinuousClock.now > end { return waiting }
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    private func waiting() async throws -> [Step] {
        var steps: [Step] = []
        for schema in try await senders() {
            steps += try await database.all(
                """
                SELECT format(
                    '%s waits for %s, until %s, refused %s times: %s',
                    o.name, d.subscriber, d.due_at, d.refusals, coalesce(d.last_error, 'not tried')
                )
                FROM \(identifier: schema).outbox_deliveries d JOIN \(identifier: schema).outbox o ON o.id = d.event
                ORDER BY d.due_at
                """
            ) { Step(at: now(), phone: schema, what: try $0.decode(String.self)) }
        }
        return try await steps
            + database.all(
                """
                SELECT format(
                    'the refund of %s waits, until %s, tried %s times: %s',
                    imp_uid, due_at, attempts, coalesce(last_error, 'not tried')
                )
                FROM payments.refunds WHERE done_at IS NULL ORDER BY due_at
                """
            ) { Step(at: now(), phone: "payments", what: try $0.decode(String.self)) }
    }

    /// What the checks need of tables and providers.
    struct Contents: Sendable {
        var rooms: [String: [RoomEventRow]] = [:]
        var payments: PaymentHistory
        var likes: [CounterPair] = []
        /// The texts of comments, by the public id of their post.
        var comments: [String: Set<String>] = [:]
        var listings: [ListingPosition] = []
        var arrivals: [PushArrival] = []
        /// What is still there of people who have left.
        var remains: [Occurrence] = []
        /// When they were read.
        var at: Moment
    }

    func all(of diary: Diary, sandbox: SandboxClient) async throws -> Contents {
        let pages = diary.all
        var contents = Contents(payments: try await payments(), at: now())
        contents.payments.purchases = pages.purchases
        (contents.payments.shown, contents.payments.forgeries) = (pages.shownOrders, pages.forgeries)
        for id in pages.paid { contents.payments.provider.append(try await payment(id, sandbox)) }
        for room in pages.rooms.keys { contents.rooms[room] = try await events(of: room) }
        contents.likes = try await likes()
        contents.comments = try await comments()
        contents.listings = try await listings()
        contents.remains = try await remains()
        for holding in pages.pushes.holdings {
            contents.arrivals += try await arrivals(at: holding.device, sandbox, diary)
        }
        return contents
    }

    /// A payment as the provider has it.
    private func payment(_ id: String, _ sandbox: SandboxClient) async throws -> ProviderPayment {
        let json = try await sandbox.payment(id)
        let isPaid = ["paid", "cancelled"].contains(json["status"]?.string)
        var payment = ProviderPayment(
            id,
            order: json["merchant_uid"]?.string ?? "",
            paid: isPaid ? json["amount"]?.integer ?? 0 : 0,
            at: now()
        )
        payment.cancellations = (json["cancel_history"]?.elements ?? []).compactMap { cancellation in
            cancellation["amount"]?.integer.map { ProviderPayment.Cancellation($0, at: now()) }
        }
        return payment
    }

    private func comments() async throws -> [String: Set<String>] {
        let rows = try await database.all(
            "SELECT p.public_id, c.content FROM community.comments c JOIN community.posts p ON p.id = c.post_id"
        ) { try $0.decode(String.self, String.self) }
        return Dictionary(grouping: rows) { $0.0 }.mapValues { Set($0.map(\.1)) }
    }

    /// The counters of likes, with changes that are not added up yet, and what they count.
    private func likes() async throws -> [CounterPair] {
        try await database.all(
            """
            SELECT p.public_id,
                p.like_count + coalesce((SELECT sum(c.change) FROM community.like_changes c WHERE c.post_id = p.id), 0)::bigint,
                (SELECT count(*) FROM community.likes l WHERE l.post_id = p.id)
            FROM community.posts p
            """
        ) { row in
            let (post, stated, counted) = try row.decode(String.self, Int64.self, Int64.self)
            return CounterPair("likes of post \(post)", reader: "table", stated: stated, counted: counted, at: now())
        }
    }

    /// The schemas of services that send events. A schema that was moved away keeps what was on its way then.
    private func senders() async throws -> [String] {
        let services = ServiceName.allCases.map(\.rawValue)
        return try await database.all(
            """
            SELECT schemaname FROM pg_tables
            WHERE tablename = 'outbox_deliveries' AND schemaname = ANY(\(services)) ORDER BY 1
            """
        ) { try $0.decode(String.self) }
    }

    /// The events of a room of Anlaka, in order.
    func events(of room: String) async throws -> [RoomEventRow] {
        try await database.all(
            """
            WITH room AS (SELECT id FROM chat.rooms WHERE public_id = \(room))
            SELECT sequence, 'sent', sequence, content FROM chat.messages WHERE room_id = (SELECT id FROM room)
            UNION ALL
            SELECT c.sequence, c.kind, c.message, m.content FROM chat.changes c
                JOIN chat.messages m ON m.room_id = c.room_id AND m.sequence = c.message
            WHERE c.room_id = (SELECT id FROM room)
            ORDER BY 1
            """
        ) { row in
            let (number, kind, message, text) = try row.decode(Int64.self, String.self, Int64.self, String?.self)
            let marker = text.flatMap { $0.isEmpty ? nil : $0 }
            return RoomEventRow(number, RoomEventKind(rawValue: kind) ?? .sent, of: message, marker: marker)
        }
    }

    /// Orders and payments with their refunds.
    func payments() async throws -> PaymentHistory {
        var history = PaymentHistory(at: now())
        history.orders = try await database.all("SELECT code, amount, state FROM payments.orders") { row in
            let (code, amount, status) = try row.decode(String.self, Int64.self, String.self)
            return OrderRow(code, amount: amount, OrderRow.State(rawValue: status) ?? .open)
        }
        history.payments = try await database.all(
            """
            SELECT p.imp_uid, o.code, p.paid, p.cancelled, p.due, p.sold,
                ARRAY(SELECT r.amount FROM payments.refunds r WHERE r.imp_uid = p.imp_uid AND r.done_at IS NOT NULL)
            FROM payments.payments p LEFT JOIN payments.orders o ON o.id = p.order_id
            """
        ) { row in
            let (id, order, paid, cancelled, due, sold, refunds) = try row.decode(
                as: (String, String?, Int64, Int64, Int64, Int64, [Int64]).self
            )
            var payment = PaymentRow(id, order: order, paid: paid, cancelled: cancelled, due: due, sold: sold)
            payment.refunds = refunds
            return payment
        }
        return history
    }

    /// The sums of the ledger of payments by account, and what the payments state as such, in one snapshot; nil while
    /// tables are copied to here from another server, one after the other.
    func ledger() async throws -> LedgerSample? {
        let rows = try await database.all(
            """
            WITH stated AS (
                SELECT coalesce(sum(paid - cancelled), 0) AS held, coalesce(sum(due), 0) AS due, coalesce(sum(sold), 0) AS sold
                FROM payments.payments
            )
            SELECT account, sum(amount)::bigint, sum(stated)::bigint FROM (
                SELECT account, amount, 0 AS stated FROM payments.ledger_entries
                UNION ALL SELECT 'clearing', 0, held FROM stated
                UNION ALL SELECT 'unallocated', 0, due + sold - held FROM stated
                UNION ALL SELECT 'sales', 0, -sold FROM stated
                UNION ALL SELECT 'refunds', 0, -due FROM stated
            ) AS accounts WHERE NOT EXISTS (
                SELECT FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid
                WHERE d.datname = current_database()
            ) GROUP BY account
            """
        ) { try $0.decode(String.self, Int64.self, Int64.self) }
        guard !rows.isEmpty else { return nil }
        return LedgerSample(
            at: now(),
            ledger: "payments",
            balances: Dictionary(rows.map { ($0.0, $0.1) }) { $1 },
            stated: Dictionary(rows.map { ($0.0, $0.2) }) { $1 }
        )
    }
}
