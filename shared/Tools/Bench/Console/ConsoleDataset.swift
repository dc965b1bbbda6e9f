import Contracts
import Postgres
import PostgresServer
import StackKit

/// What the console has after a busy day: a million spans, a room with a long history, and many events that wait.
enum ConsoleDataset {
    static let spans = 1_000_000
    static let events = 100_000
    static let deliveries = 10_000
    /// The number of spans of the largest story.
    static let longestStory = 50_000
    /// The id of the largest story, and that of one with ten spans; hexadecimal.
    static let longStory = String(repeating: "f", count: 32)
    static let story = "0000000000000000000000000000002a"
    /// The room with the long history is the dataset's first one.
    static let room = ChatDataset.publicID(1)

    private static let spansOfStory = 10

    static func build(_ server: PostgresServer) async throws {
        try await ChatDataset.build(server)
        try await server.withClient(of: Database.name) { database in
            try await traces(database)
            try await room(database)
            try await waiting(database)
            try await database.execute(
                "ANALYZE console.spans, console.stories, console.subjects, chat.messages, chat.outbox, chat.outbox_deliveries"
            )
        }
    }

    private static func traces(_ database: PostgresClient) async throws {
        let traces = spans / spansOfStory
        try await database.execute(
            """
            INSERT INTO console.spans (trace, program, spans)
            SELECT lpad(to_hex(n), 32, '0')::uuid, 'seats', (
                SELECT jsonb_agg(\(span("lpad(to_hex(n), 32, '0')", number: "s", parent: "s - 1")))
                FROM generate_series(1, \(spansOfStory)) s)
            FROM generate_series(1, \(traces)) n
            """
        )
        try await database.execute(
            """
            INSERT INTO console.spans (trace, program, spans, count)
            SELECT \(longStory)::uuid, 'chat', (
                SELECT jsonb_agg(\(span("\(literal: longStory)", number: "(part * 500 + s)", parent: "1")))
                FROM generate_series(1, 500) s), 500
            FROM generate_series(0, \(longestStory / 500 - 1)) part
            """
        )
        try await database.execute(
            """
            INSERT INTO console.stories (trace, program, name, app, status, started_at, microseconds, failed)
            SELECT lpad(to_hex(n), 32, '0')::uuid, 'gateway', 'GET /stations/{stationId}', 'seatcatcher', 200, now(), 1500,
                n % 100 = 0
            FROM generate_series(1, \(traces)) n
            """
        )
        try await database.execute(
            """
            INSERT INTO console.subjects (kind, value, trace)
            SELECT kind, CASE kind WHEN 'user.id' THEN (n % 1000)::text ELSE kind || n END, lpad(to_hex(n), 32, '0')::uuid
            FROM generate_series(1, \(traces)) n, unnest('{madang.request_id, user.id, session.id}'::text[]) kind
            """
        )
    }

    /// A span as programs send it.
    private static func span(_ trace: SQL, number: SQL, parent: SQL) -> SQL {
        """
        jsonb_build_object('traceId', \(trace), 'spanId', lpad(to_hex(\(number)), 16, '0'),
            'parentSpanId', CASE WHEN \(number) > 1 THEN lpad(to_hex(\(parent)), 16, '0') END,
            'name', 'StationStore.station', 'kind', CASE WHEN \(number) = 1 THEN 2 ELSE 3 END,
            'startTimeUnixNano', (1764000000000000000 + \(number) * 1000)::text,
            'endTimeUnixNano', (1764000000000500000 + \(number) * 1000)::text,
            'attributes', jsonb_build_array(
                jsonb_build_object('key', 'db.system.name', 'value', jsonb_build_object('stringValue', 'postgresql')),
                jsonb_build_object('key', 'db.query.text', 'value',
                    jsonb_build_object('stringValue', 'SELECT id, name, line FROM stations WHERE id = $1')),
                jsonb_build_object('key', 'db.response.returned_rows', 'value', jsonb_build_object('intValue', '1'))))
        """
    }

    private static func room(_ database: PostgresClient) async throws {
        try await database.execute(
            """
            INSERT INTO chat.messages (room_id, sequence, sender_id, content, created_at)
            SELECT r.id, n, CASE n % 2 WHEN 0 THEN r.first_id ELSE r.second_id END, 'hello ' || n, now()
            FROM chat.rooms r, generate_series(1, \(events)) n WHERE r.public_id = \(room.rawValue)
            """
        )
        try await database.execute(
            "UPDATE chat.rooms SET last_sequence = \(events) WHERE public_id = \(room.rawValue)"
        )
    }

    private static func waiting(_ database: PostgresClient) async throws {
        try await database.execute(
            """
            WITH events AS (
                INSERT INTO chat.outbox (event_id, name, key, body)
                SELECT gen_random_uuid(), 'chat.message-sent', 'room ' || n, '{}' FROM generate_series(1, \(deliveries)) n
                RETURNING id, key
            )
            INSERT INTO chat.outbox_deliveries (subscriber, event, key, parked_at, last_error)
            SELECT 'notifications', id, key, now(), 'status 422' FROM events
            """
        )
    }
}

extension SQL.StringInterpolation {
    /// A text in quotes, where no parameter can be.
    fileprivate mutating func appendInterpolation(literal text: String) { appendLiteral("'\(text)'") }
}
