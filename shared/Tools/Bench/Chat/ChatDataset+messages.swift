import Authentication
import Contracts
import NIOCore
import Postgres
import PostgresServer
import StackKit

extension ChatDataset {
    /// Adds messages to the first room.
    ///
    /// - Parameter numbers: Their places in the room; different ones in each call.
    static func write(_ numbers: ClosedRange<Int>, _ server: PostgresServer) async throws {
        try await server.withClient(of: Database.name) { database in
            try await database.execute(
                """
                INSERT INTO chat.messages (room_id, sequence, sender_id, content, created_at)
                SELECT r.id, n, \(account(1)), \(ChatLoad.content), now() - interval '300 days' + n * interval '1 second'
                FROM chat.rooms r CROSS JOIN generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n
                WHERE r.public_id = \(publicID(1).description)
                """
            )
            try await database.execute(
                """
                UPDATE chat.rooms SET last_sequence = \(numbers.upperBound), last_message = \(numbers.upperBound)
                WHERE public_id = \(publicID(1).description)
                """
            )
            try await database.execute("VACUUM ANALYZE chat.messages, chat.rooms")
        }
    }

    /// The request for a page of the first room's messages.
    ///
    /// - Parameter delay: When it is due.
    static func page(port: Int, delay: TimeAmount) -> BurstLoad.Request {
        let path = "/v1/chats/\(publicID(1))"
        let identity = ServiceFixture.identity(of: account(1), in: .anlaka, "GET", path, to: .chat)
        return BurstLoad.Request(
            port: port,
            text: "GET \(path) HTTP/1.1\r\nHost: madang\r\n\(InternalIdentity.header): \(identity)\r\n\r\n",
            delay: delay
        )
    }
}
