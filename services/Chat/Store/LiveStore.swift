import Contracts
import Postgres

/// SQL of the rooms' sequence numbers.
struct LiveStore: Sendable {
    /// The last sequence number of each room. Deleted rooms are left out.
    func sequences(of rooms: [RoomID], in database: some Querying) async throws -> [(room: RoomID, through: Int64)] {
        try await database.all("SELECT id, last_sequence FROM rooms WHERE id = ANY(\(rooms))") {
            let (room, through) = try $0.decode(as: (RoomID, Int64).self)
            return (room, through)
        }
    }
}
