import Contracts
import Postgres

/// SQL of notifications between replicas.
struct LiveStore: Sendable {
    /// Sends notifications when the transaction commits.
    func announce(_ notices: [ChangeNotification]) -> Statement<Int> {
        .execute(
            "SELECT pg_notify('chat_live_' || current_schema(), n) FROM unnest(\(notices.map(\.text))) AS n"
        )
    }

    /// The NOTIFY channel of a schema.
    static func channel(schema: String?) -> String {
        "chat_live_\(schema ?? "public")"
    }

    /// The last sequence number of each room. Deleted rooms are left out.
    func sequences(of rooms: [RoomID], in database: some Querying) async throws -> [(room: RoomID, through: Int64)] {
        try await database.all("SELECT id, last_sequence FROM rooms WHERE id = ANY(\(rooms))") {
            let (room, through) = try $0.decode(as: (RoomID, Int64).self)
            return (room, through)
        }
    }
}
