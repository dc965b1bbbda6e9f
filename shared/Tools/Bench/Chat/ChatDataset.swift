import Contracts
import Postgres
import PostgresServer
import StackKit

/// A thousand rooms of Anlaka for messages, and the rooms of one user's sockets.
enum ChatDataset {
    static let rooms = 1000

    /// The sender in a room, by the room's number from 1.
    static func account(_ room: Int) -> Int64 { Int64(-2 * room) }

    /// The public id of a room.
    static func publicID(_ room: Int) -> PublicID {
        let digits = String(room, radix: 16)
        return PublicID(unchecked: String(repeating: "0", count: 24 - digits.count) + digits)
    }

    static func build(_ server: PostgresServer) async throws {
        try await server.withClient(of: Database.name) { database in
            try await database.execute(
                """
                INSERT INTO chat.people (account_id, app, public_id, nickname)
                SELECT -n, 'anlaka', 'e' || lpad(to_hex(n), 23, '0'), '사람' || n FROM generate_series(2, \(2 * rooms + 1)) n
                """
            )
            try await database.execute(
                """
                WITH made AS (
                    INSERT INTO chat.rooms (public_id, app, first_id, second_id)
                    SELECT lpad(to_hex(n), 24, '0'), 'anlaka', -2 * n - 1, -2 * n FROM generate_series(1, \(rooms)) n
                    RETURNING id, public_id, first_id, second_id
                )
                INSERT INTO chat.members (room_id, account_id, copy_id)
                SELECT id, first_id, 'a' || substr(public_id, 2) FROM made
                UNION ALL SELECT id, second_id, 'b' || substr(public_id, 2) FROM made
                """
            )
            try await database.execute("ANALYZE chat.people, chat.rooms, chat.members")
        }
    }

    /// Creates rooms between the newest accounts, in turn, and as many others.
    ///
    /// - Parameters:
    ///   - batch: A different number for each call.
    ///   - tokens: The access tokens of these accounts, in the order of their ids.
    static func rooms(
        _ count: Int,
        batch: Int,
        ofTheNewest tokens: [String],
        on server: PostgresServer
    ) async throws -> [ChatSockets.Place] {
        let first = 1_000_000 * (batch + 1) + 1
        return try await server.withClient(of: Database.name) { database in
            try await database.execute(
                """
                INSERT INTO chat.people (account_id, app, public_id, nickname)
                SELECT -n, 'anlaka', 'd' || lpad(to_hex(n), 23, '0'), '이웃' || n
                FROM generate_series(\(first), \(first + count - 1)) n
                """
            )
            // Chat may not have received the accounts' events yet.
            try await database.execute(
                """
                INSERT INTO chat.people (account_id, app, public_id, nickname)
                SELECT id, app, public_id, nickname FROM auth.accounts ORDER BY id DESC LIMIT \(tokens.count)
                ON CONFLICT DO NOTHING
                """
            )
            return try await database.all(
                """
                WITH own AS (
                    SELECT id AS account, \(tokens.count) - row_number() OVER (ORDER BY id DESC) AS place
                    FROM auth.accounts ORDER BY id DESC LIMIT \(tokens.count)
                ), made AS (
                    INSERT INTO chat.rooms (public_id, app, first_id, second_id)
                    SELECT 'c' || lpad(to_hex(n), 23, '0'), 'anlaka', -n, account
                    FROM generate_series(\(first), \(first + count - 1)) n JOIN own ON place = n % \(tokens.count)
                    RETURNING id, public_id, first_id, second_id
                ), members AS (
                    INSERT INTO chat.members (room_id, account_id, copy_id)
                    SELECT id, first_id, '1' || substr(public_id, 2) FROM made
                    UNION ALL SELECT id, second_id, '2' || substr(public_id, 2) FROM made
                )
                SELECT public_id, place FROM made JOIN own ON account = second_id
                """
            ) {
                let (room, place) = try $0.decode(String.self, Int.self)
                return ChatSockets.Place(room: room, token: tokens[place])
            }
        }
    }
}
