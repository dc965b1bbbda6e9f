import Postgres

/// All SQL of what the copies of the service tell each other.
struct LiveStore: Sendable {
    /// Announced when the transaction commits.
    func announce(_ notices: [LiveNotice]) -> Statement<Int> {
        .execute(
            "SELECT pg_notify('chat_live_' || current_schema(), n) FROM unnest(\(notices.map(\.text))) AS n"
        )
    }

    /// The channel of NOTIFY in a schema.
    static func channel(schema: String?) -> String {
        "chat_live_\(schema ?? "public")"
    }

    /// Where rooms stand: the number of the last thing that happened. Those that are no more are left out.
    func sequences(of rooms: [Int64], in database: some Querying) async throws -> [(room: Int64, through: Int64)] {
        try await database.all("SELECT id, last_sequence FROM rooms WHERE id = ANY(\(rooms))") {
            let (room, through) = try $0.decode(as: (Int64, Int64).self)
            return (room, through)
        }
    }
}
