import Contracts
import Postgres
import ServiceKit

/// SQL of socket messages. A message is inserted in the transaction of the change; its topic is announced after the
/// commit, and every replica with subscribers reads the topic on from the last message that it has delivered.
struct LiveStore: Sendable {
    /// Writes the current occupants of seats of a car. The message must be announced.
    func insert(seats: [SeatID], of car: CarAddress) -> Statement<LiveMessageID> {
        .one(
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
            )
            INSERT INTO live_messages (topic, body, trace)
            SELECT \(LiveTopic.car(car).name), body, \(TraceContext.handedOn) FROM changes RETURNING id
            """
        ) { try $0.decode(LiveMessageID.self) }
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
        let id = try await transaction.one(
            """
            INSERT INTO live_messages (topic, body, trace)
            VALUES (\(topic.name), \(PostgresJSON(body))::text, \(TraceContext.handedOn)) RETURNING id
            """
        ) { try $0.decode(LiveMessageID.self) }
        transaction.announce(.written(id, topic))
        return id
    }

    // MARK: Reads

    /// The messages of topics after an id of each, in order; at most `limit` of each.
    func messages(
        after positions: [(topic: String, id: LiveMessageID)],
        limit: Int,
        in database: some Querying
    ) async throws -> [StoredMessage] {
        try await database.all(
            """
            SELECT m.id, p.topic, m.body, m.trace FROM unnest(\(positions.map(\.topic)), \(positions.map(\.id))) AS p(topic, id)
            CROSS JOIN LATERAL (
                SELECT id, body, trace FROM live_messages WHERE topic = p.topic AND id > p.id ORDER BY id LIMIT \(limit)
            ) m ORDER BY m.id
            """,
            Self.decode
        )
    }

    /// The topics of recent messages.
    func topics(ofLastSeconds seconds: Double, in database: some Querying) async throws -> [String] {
        try await database.all(
            """
            SELECT DISTINCT topic FROM live_messages
            WHERE created_at > now() - make_interval(secs => \(seconds))
            """
        ) { try $0.decode(String.self) }
    }

    /// The last message of a topic, if it is not delivered.
    func undelivered(on topic: LiveTopic, in database: some Querying) async throws -> StoredMessage? {
        try await database.optional(
            """
            SELECT id, topic, body, trace FROM (
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
        let (id, topic, body, trace) = try row.decode(as: (LiveMessageID, String, String, String?).self)
        return StoredMessage(id: id, topic: topic, body: body, trace: trace)
    }
}

/// A message as stored.
struct StoredMessage: Sendable, Equatable {
    var id: LiveMessageID
    var topic: String
    /// The JSON of the topic's message type.
    var body: String
    /// The span that it follows from, as `traceparent`.
    var trace: String?
}

extension LiveNotification {
    static let channel = "live"

    /// `4711 car/2234/2429 ` with a space at the end, `watched 7 2234 2429`, `revoked 7`, `revoked 7 SESSION`.
    var text: String {
        switch self {
        case .written(let id, let topic): "\(id) \(topic.name) "
        case .watched(let account, let car): "watched \(account) \(car.train.text) \(car.code)"
        case .revoked(let account, let session): "revoked \(account)\(session.map { " \($0)" } ?? "")"
        }
    }

    /// What it is about: copies without a subscriber for it need not know it. None for all copies.
    var keys: [String] {
        switch self {
        case .written(_, let topic): [topic.name]
        case .watched(let account, _): [Self.key(account)]
        case .revoked: []
        }
    }

    static func key(_ account: AccountID) -> String { "account/\(account)" }

    fileprivate var announcement: Announcement { Announcement(text, on: Self.channel, about: keys) }

    init?(text: some StringProtocol) {
        let words = text.split(separator: " ")
        guard words.count >= 2 else { return nil }
        if let id = LiveMessageID(words[0]), let topic = LiveTopic(name: words[1]) {
            self = .written(id, topic)
            return
        }
        guard let account = AccountID(words[1]) else { return nil }
        switch (words[0], words.count) {
        case ("watched", 4):
            self = .watched(account: account, car: CarAddress(storedTrain: String(words[2]), code: String(words[3])))
        case ("revoked", 2): self = .revoked(account: account, session: nil)
        case ("revoked", 3): self = .revoked(account: account, session: String(words[2]))
        default: return nil
        }
    }
}

extension Announcer {
    func announce(_ notification: LiveNotification) {
        announce([notification.announcement])
    }
}

extension PostgresTransaction {
    func announce(_ notification: LiveNotification) {
        announce([notification.announcement])
    }

    /// Adds a statement that writes a message, as `enqueue(_:)` does.
    func enqueue(_ message: Statement<LiveMessageID>, to topic: LiveTopic) throws {
        try enqueue(message, announcing: { LiveNotification.written($0, topic).announcement })
    }
}
