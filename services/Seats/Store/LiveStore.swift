import Contracts
import Postgres

/// SQL of socket messages. A message is inserted in the transaction of the change, and published by NOTIFY at commit.
struct LiveStore: Sendable {
    /// PostgreSQL limits a notification to less than 8,000 bytes; a longer message is read from the table.
    private static let longestNotice = 7000

    /// Publishes the current occupants of seats of a car.
    func publish(seats: [SeatID], of car: CarAddress) -> Statement<Int> {
        .execute(
            """
            WITH changes AS (
                SELECT json_agg(json_build_object('seat', s.id, 'occupant',
                    CASE WHEN o.seat_id IS NOT NULL THEN json_build_object(
                        'account', o.account_id, 'nickname', p.nickname, 'image', p.image, 'tags', p.tags,
                        'arrivesAt', (extract(epoch FROM o.arrives_at) * 1000000)::bigint,
                        'destination', o.destination) END))::text AS body
                FROM unnest(\(seats)) AS s(id)
                    LEFT JOIN occupancies o ON o.seat_id = s.id AND o.service_date = service_date()
                    LEFT JOIN passengers p ON p.account_id = o.account_id
            ), message AS (
                INSERT INTO live_messages (topic, body) SELECT \(LiveTopic.car(car).name), body FROM changes
                RETURNING id, topic, body
            )
            SELECT pg_notify('live_' || current_schema(), id || ' ' || topic || ' '
                || CASE WHEN octet_length(body) < \(Self.longestNotice) THEN body ELSE '' END) FROM message
            """
        )
    }

    /// Publishes a message to a topic.
    ///
    /// - Returns: the message's id.
    @discardableResult
    func publish(
        _ body: some Encodable & Sendable,
        to topic: LiveTopic,
        in transaction: PostgresTransaction
    ) async throws -> LiveMessageID {
        try await transaction.one(
            """
            WITH message AS (
                INSERT INTO live_messages (topic, body) VALUES (\(topic.name), \(PostgresJSON(body))::text)
                RETURNING id, topic, body
            )
            SELECT id FROM message, LATERAL pg_notify('live_' || current_schema(), id || ' ' || topic || ' '
                || CASE WHEN octet_length(body) < \(Self.longestNotice) THEN body ELSE '' END)
            """
        ) { try $0.decode(LiveMessageID.self) }
    }

    /// Sends a transient notification to the other replicas.
    func notify(_ notice: LiveNotification, in database: some Querying) async throws {
        try await database.execute("SELECT pg_notify('live_' || current_schema(), \(notice.text))")
    }

    /// The NOTIFY channel of a schema.
    static func channel(schema: String?) -> String {
        "live_\(schema ?? "public")"
    }

    // MARK: Reads

    func message(id: LiveMessageID, in database: some Querying) async throws -> StoredMessage? {
        try await database.optional(
            "SELECT id, topic, body FROM live_messages WHERE id = \(id)",
            Self.decode
        )
    }

    /// The recent messages of topics, in order.
    func messages(
        on topics: [String],
        lastSeconds seconds: Double,
        in database: some Querying
    ) async throws -> [StoredMessage] {
        try await database.all(
            """
            SELECT id, topic, body FROM live_messages
            WHERE topic = ANY(\(topics)) AND created_at > now() - make_interval(secs => \(seconds)) ORDER BY id
            """,
            Self.decode
        )
    }

    /// The last message of a topic, if it is not delivered.
    func undelivered(on topic: LiveTopic, in database: some Querying) async throws -> StoredMessage? {
        try await database.optional(
            """
            SELECT id, topic, body FROM (
                SELECT * FROM live_messages WHERE topic = \(topic.name) ORDER BY id DESC LIMIT 1) AS last
            WHERE delivered_at IS NULL
            """,
            Self.decode
        )
    }

    /// The id of the last message of a topic; `zero` when there is none.
    func lastID(of topic: LiveTopic, in database: some Querying) async throws -> LiveMessageID {
        try await database.one("SELECT max(id) FROM live_messages WHERE topic = \(topic.name)") {
            try $0.decode(LiveMessageID?.self)
        } ?? .zero
    }

    func markDelivered(_ ids: [LiveMessageID], in database: some Querying) async throws {
        try await database.execute(
            "UPDATE live_messages SET delivered_at = now() WHERE id = ANY(\(ids)) AND delivered_at IS NULL"
        )
    }

    /// Marks the messages of a topic as delivered: the reply to an earlier request must not be sent after a new one.
    func markAllDelivered(on topic: LiveTopic, in database: some Querying) async throws {
        try await database.execute(
            "UPDATE live_messages SET delivered_at = now() WHERE topic = \(topic.name) AND delivered_at IS NULL"
        )
    }

    private static func decode(_ row: borrowing Row) throws -> StoredMessage {
        let (id, topic, body) = try row.decode(as: (LiveMessageID, String, String).self)
        return StoredMessage(id: id, topic: topic, body: body)
    }
}

/// A message as stored.
struct StoredMessage: Sendable, Equatable {
    var id: LiveMessageID
    var topic: String
    /// The JSON of the topic's message type.
    var body: String
}

extension LiveNotification {
    /// `watched 7 2234 2429`, `revoked 7`, `revoked 7 SESSION`.
    var text: String {
        switch self {
        case .watched(let account, let car): "watched \(account) \(car.train.text) \(car.code)"
        case .revoked(let account, let session): "revoked \(account)\(session.map { " \($0)" } ?? "")"
        }
    }

    init?(text: some StringProtocol) {
        let words = text.split(separator: " ")
        guard words.count >= 2, let account = AccountID(words[1]) else { return nil }
        switch (words[0], words.count) {
        case ("watched", 4):
            self = .watched(account: account, car: CarAddress(storedTrain: String(words[2]), code: String(words[3])))
        case ("revoked", 2): self = .revoked(account: account, session: nil)
        case ("revoked", 3): self = .revoked(account: account, session: String(words[2]))
        default: return nil
        }
    }
}
