import Contracts
import FoundationEssentials
import Postgres

/// SQL of the operators' view of deliveries.
struct OutboxEntryStore: Sendable {
    static let page = 100
    /// The number of events that are looked at by one call.
    static let replayed = 5_000

    let database: PostgresClient

    /// Deliveries in the order of event numbers.
    ///
    /// - Parameters:
    ///   - subscriber: nil for all.
    ///   - number: The number of the event before the first.
    func page(to subscriber: String?, isParked: Bool?, after number: Int64) async throws -> OutboxAPI.Page {
        let state: SQL =
            switch isParked {
            case true?: "d.parked_at IS NOT NULL"
            case false?: "d.parked_at IS NULL"
            case nil: "true"
            }
        let entries = try await database.all(
            """
            SELECT \(Self.columns) FROM outbox_deliveries d JOIN outbox o ON o.id = d.event
            WHERE d.event > \(number) AND (\(subscriber)::text IS NULL OR d.subscriber = \(subscriber))
                AND \(state)
            ORDER BY d.event, d.subscriber LIMIT \(Self.page + 1)
            """
        ) { try Self.entry($0) }
        return OutboxAPI.Page(entries: Array(entries.prefix(Self.page)), hasMore: entries.count > Self.page)
    }

    /// An event, by its number; nil if it is not stored.
    func event(_ number: Int64) async throws -> OutboxAPI.StoredEvent? {
        let body = try await database.optional("SELECT body::text FROM outbox WHERE id = \(number)") {
            try $0.decode(String.self)
        }
        guard let body else { return nil }
        let entries = try await database.all(
            """
            SELECT \(Self.columns) FROM outbox_deliveries d JOIN outbox o ON o.id = d.event
            WHERE o.id = \(number) ORDER BY d.subscriber
            """
        ) { try Self.entry($0) }
        return OutboxAPI.StoredEvent(entries: entries, body: body)
    }

    /// Makes the deliveries of an event due, parked or not.
    func retry(_ number: Int64, to subscriber: String?) async throws -> Int {
        try await database.execute(
            """
            UPDATE outbox_deliveries d SET \(Self.asNew)
            WHERE d.event = \(number) AND (\(subscriber)::text IS NULL OR d.subscriber = \(subscriber))
            """
        )
    }

    /// Makes all parked deliveries due.
    func retryParked(to subscriber: String?) async throws -> Int {
        try await database.execute(
            """
            UPDATE outbox_deliveries d SET \(Self.asNew)
            WHERE d.parked_at IS NOT NULL AND (\(subscriber)::text IS NULL OR d.subscriber = \(subscriber))
            """
        )
    }

    /// Deletes the deliveries of an event; the event stays for as long as delivered ones do.
    func drop(_ number: Int64, to subscriber: String?) async throws -> Int {
        try await database.execute(
            """
            DELETE FROM outbox_deliveries d
            WHERE d.event = \(number) AND (\(subscriber)::text IS NULL OR d.subscriber = \(subscriber))
            """
        )
    }

    /// Makes the deliveries of a page of events due once more, unless they wait or are parked.
    ///
    /// - Parameters:
    ///   - names: The events that the subscriber hears.
    ///   - since: Events published earlier are left out.
    ///   - number: The number of the event before the page.
    func replay(
        _ names: [String],
        to subscriber: String,
        since: Date,
        after number: Int64
    ) async throws -> OutboxAPI.Replay.Page {
        try await database.transaction { transaction in
            transaction.announce([Announcement(subscriber, on: Outbox.channel)])
            return try await transaction.one(
                """
                WITH page AS (
                    SELECT id, name, key, created_at FROM outbox WHERE id > \(number) ORDER BY id LIMIT \(Self.replayed)
                    FOR KEY SHARE
                ), deliveries AS (
                    INSERT INTO outbox_deliveries (subscriber, event, key)
                    SELECT \(subscriber), id, key FROM page WHERE created_at >= \(since) AND name = ANY (\(names))
                    ON CONFLICT DO NOTHING RETURNING event
                )
                SELECT (SELECT count(*) FROM deliveries), (SELECT max(id) FROM page)
                """
            ) { row in
                let (deliveries, last) = try row.decode(as: (Int, Int64?).self)
                return OutboxAPI.Replay.Page(deliveries: deliveries, last: last)
            }
        }
    }

    private static let asNew: SQL = "parked_at = NULL, refused_at = NULL, refusals = 0, due_at = now()"

    private static let columns: SQL = """
        d.event, o.event_id, d.subscriber, o.name, d.key,
        extract(epoch FROM now() - o.created_at)::double precision, d.refusals, d.parked_at IS NOT NULL, d.last_error
        """

    private static func entry(_ row: borrowing Row) throws -> OutboxAPI.Entry {
        try row.decode { columns in
            OutboxAPI.Entry(
                number: try columns.next(),
                event: try columns.next(),
                subscriber: try columns.next(),
                name: try columns.next(),
                key: try columns.next(),
                age: try columns.next(),
                refusals: try columns.next(),
                isParked: try columns.next(),
                error: try columns.next()
            )
        }
    }
}
