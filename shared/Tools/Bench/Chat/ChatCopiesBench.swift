import AppClients
import Contracts
import FoundationEssentials
import Logging
import Postgres
import PostgresServer
import StackKit
import Synchronization

/// Messages that another process has written, and that three copies of chat read and deliver, each to the sockets of a
/// thousand rooms; compared with a reader that asks for one message after the other.
///
/// Messages are written into 250 rooms at once, and announced, and at most three times as many wait for their delivery
/// meanwhile. The reader delivers nothing, and runs alone.
struct ChatCopiesBench: BenchSuite {
    let name = "copies"
    let summary = "messages that three copies of chat read and deliver beside a reader of one after the other"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    static let copies = 3
    static let rounds = 3
    private static let parts = 4
    /// The channel of the service's announcements (`ChangeNotification`).
    static let channel = "chat_live"

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(UInt(2 * Self.copies * ChatDataset.rooms))
        return try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let url = try database.url(role: "chat")
            let fixtures = try Self.fixtures(url)
            // The service creates its tables.
            try await fixtures[0].withService(bench) { try await ChatDataset.build(server) }
            return try await Self.withClient(Self.configuration(url)) { try await compare(fixtures, $0, bench) }
        }
    }

    static func fixtures(_ url: String, environment: [String: String] = [:]) throws -> [ServiceFixture] {
        try FreePort.find(copies).map { port in
            ServiceFixture(name: "chat", port: port, databaseURL: url, environment: environment)
        }
    }

    static func configuration(_ url: String) throws -> PostgresConfiguration {
        try PostgresConfiguration(url: url, schema: "chat", applicationName: "bench")
    }

    /// Runs `body` with a client that writes messages.
    static func withClient<Value: Sendable>(
        _ configuration: PostgresConfiguration,
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value {
        let client = PostgresClient(configuration, logger: Logger(label: "bench"))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            return try await body(client)
        }
    }

    private func compare(_ fixtures: [ServiceFixture], _ client: PostgresClient, _ bench: BenchContext) async throws
        -> [BenchResult]
    {
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for round in 1...Self.rounds {
            bench.report("round \(round) of \(Self.rounds)")
            theirs.append(try await Self.readOneByOne(client, for: bench.duration / Self.rounds))
            let rate = try await Self.withCopies(fixtures[...], bench) {
                let rooms = Array(repeating: Array(1...ChatDataset.rooms), count: Self.copies)
                return try await Self.withSockets(at: fixtures, rooms: rooms) { received in
                    try await Self.write(client, for: bench.duration / Self.rounds, receivers: Self.copies) {
                        received()
                    }
                }
            }
            ours.append(rate)
        }
        return [
            BenchResult(
                name: "delivered by \(Self.copies) copies to \(Self.copies * ChatDataset.rooms) sockets",
                unit: "messages/s",
                ours: BenchResult.median(ours),
                yardstick: .init(name: "read one after the other", value: BenchResult.median(theirs)),
                goal: .ratioAtLeast(2.5)
            )
        ]
    }

    // MARK: Copies

    static func withCopies<Value: Sendable>(
        _ fixtures: ArraySlice<ServiceFixture>,
        _ bench: BenchContext,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let first = fixtures.first else { return try await body() }
        return try await first.withService(bench) { try await withCopies(fixtures.dropFirst(), bench, body) }
    }

    /// Opens a socket for each room of each copy while `body` runs, which is given the number of received messages.
    ///
    /// - Parameter rooms: The numbers of rooms, for each copy.
    static func withSockets<Value: Sendable>(
        at fixtures: [ServiceFixture],
        rooms: [[Int]],
        _ body: @Sendable (_ received: @escaping @Sendable () -> Int) async throws -> Value
    ) async throws -> Value {
        func place(_ room: Int) -> ChatSockets.Place {
            let token = ServiceFixture.identity(
                of: ChatDataset.account(room),
                in: .anlaka,
                "GET",
                ChatSockets.streamPath,
                to: .chat
            )
            return ChatSockets.Place(room: ChatDataset.publicID(room).rawValue, token: token)
        }
        let sockets = fixtures.map { ChatSockets(.stream, port: $0.port, isDirect: true) }
        let outcome: Result<Value, any Error>
        do {
            for (copy, rooms) in zip(sockets, rooms) { try await copy.open(rooms.map(place)) }
            outcome = .success(try await body { sockets.map(\.received).reduce(0, +) })
        } catch {
            outcome = .failure(error)
        }
        for copy in sockets { try await copy.close() }
        return try outcome.get()
    }

    // MARK: One after the other

    /// - Returns: The messages that are read, per second.
    private static func readOneByOne(_ client: PostgresClient, for duration: Duration) async throws -> Double {
        let reader = Reader()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await reader.run(client) }
            defer { group.cancelAll() }
            try await waitUntil("the reader listens") { reader.isListening.load(ordering: .relaxed) }
            return try await write(client, for: duration, receivers: 1) { reader.count.load(ordering: .relaxed) }
        }
    }

    private typealias Event = (
        Int64, String, Date, Int64, Int64, Int64, String, [String], String?, Date, Date?, Date?
    )

    /// Reads the new messages of each announced room with a query of its own.
    private final class Reader: Sendable {
        let isListening = Atomic(false)
        /// The number of messages.
        let count = Atomic(0)

        func run(_ client: PostgresClient) async throws {
            for await notification in client.announcer.notifications(on: ChatCopiesBench.channel) {
                guard case .message(let text) = notification else {
                    isListening.store(true, ordering: .relaxed)
                    continue
                }
                let words = text.split(separator: " ")
                guard words.count == 4, let room = Int64(words[1]), let through = Int64(words[2]) else { continue }
                let messages = try await client.all(ChatCopiesBench.events(of: room, after: through - 1)) {
                    try $0.decode(as: Event.self)
                }
                count.wrappingAdd(messages.count, ordering: .relaxed)
            }
        }
    }

    /// The service's query (`MessageStore.events`), for one room.
    private static func events(of room: Int64, after sequence: Int64) -> SQL {
        """
        SELECT m.event, m.kind, m.at, m.room_id, m.sequence, m.sender_id, m.content, m.files, m.client_id, m.created_at,
            m.edited_at, m.deleted_at
        FROM unnest(\([room]), \([sequence])) AS p(room, after) CROSS JOIN LATERAL (
            SELECT e.sequence AS event, e.kind, e.at, m.*, sum(octet_length(m.content)) OVER (
                ORDER BY e.sequence ROWS UNBOUNDED PRECEDING) - octet_length(m.content) AS before
            FROM (
                SELECT * FROM (
                    SELECT sequence, 'sent' AS kind, created_at AS at, sequence AS message FROM messages
                    WHERE room_id = p.room AND sequence > p.after ORDER BY sequence LIMIT 500) sent
                UNION ALL
                SELECT * FROM (
                    SELECT sequence, kind, changed_at, message FROM changes
                    WHERE room_id = p.room AND sequence > p.after ORDER BY sequence LIMIT 500) changed
                ORDER BY sequence LIMIT 500) e
                CROSS JOIN LATERAL (
                    SELECT * FROM messages WHERE room_id = p.room AND sequence = e.message LIMIT 1) m
        ) m WHERE m.before < 1000000 ORDER BY m.room_id, m.event
        """
    }

    // MARK: Writing

    /// - Parameters:
    ///   - receivers: The number of times that each message is received.
    ///   - received: The number of received messages.
    /// - Returns: The received messages per second.
    private static func write(
        _ client: PostgresClient,
        for duration: Duration,
        receivers: Int,
        received: () -> Int
    ) async throws -> Double {
        let (first, start) = (received(), ContinuousClock.now)
        let each = ChatDataset.rooms / parts * receivers
        var expected = first
        for part in 0... {
            try await write(client, part: part % parts)
            expected += each
            let due = expected - (parts - 1) * each
            try await waitUntil("messages are received", every: .microseconds(200)) { received() >= due }
            if ContinuousClock.now - start >= duration { break }
        }
        try await waitUntil("all messages are received", every: .microseconds(200)) { received() >= expected }
        return Double(expected - first) / ((ContinuousClock.now - start) / .seconds(1))
    }

    /// Writes a message into each room of a part, and announces it as the service does.
    private static func write(_ client: PostgresClient, part: Int) async throws {
        try await client.transaction { transaction in
            let condition: SQL = "id % \(Int64(parts)) = \(Int64(part))"
            transaction.announce(try await write(transaction, where: condition))
        }
    }

    /// Writes a message into rooms.
    ///
    /// - Parameter addition: A text that is selected for each written row.
    /// - Returns: How the service announces them.
    static func write(
        _ database: some Querying,
        where condition: SQL,
        selecting addition: SQL = "NULL::text"
    ) async throws -> [Announcement] {
        try await database.all(
            """
            WITH written AS (
                UPDATE rooms SET last_sequence = last_sequence + 1, last_message = last_sequence + 1,
                    updated_at = clock_timestamp()
                WHERE \(condition) RETURNING id, last_sequence, first_id, second_id
            ), inserted AS (
                INSERT INTO messages (room_id, sequence, sender_id, content, files, created_at)
                SELECT id, last_sequence, second_id, \(ChatLoad.content), '{}', now() FROM written
            )
            SELECT id, last_sequence, first_id, second_id, (extract(epoch FROM now()) * 1000000)::bigint,
                \(addition)
            FROM written
            """
        ) { row in
            let (room, sequence, first, second, time, _) = try row.decode(
                as: (Int64, Int64, Int64, Int64, Int64, String?).self
            )
            let text = "e \(room) \(sequence) \(first),\(second)"
            // As `AnnouncedEvents` writes it.
            let event = [
                "sent", "\(sequence)", "\(time)", "\(sequence)", "\(second)", "\(time)", "", "", "",
                ChatLoad.content, "0",
            ]
            return Announcement(
                text,
                on: channel,
                about: ["room/\(room)", "account/\(first)", "account/\(second)"],
                content: ([text] + event).joined(separator: "\0")
            )
        }
    }
}
