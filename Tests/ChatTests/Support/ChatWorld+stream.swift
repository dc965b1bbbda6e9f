import Contracts
import Files
import FoundationEssentials
import HummingbirdTesting
import Postgres
import TestKit

@testable import Chat

extension ChatWorld {
    /// Runs another copy of the service on the same tables.
    func beside(_ body: @escaping @Sendable (ChatWorld) async throws -> Void) async throws {
        var configuration = ChatConfiguration(database: TestDatabase.current.configuration)
        configuration.authURLs = ["http://127.0.0.1:9"]
        configuration.communityURLs = ["http://127.0.0.1:9"]
        defer { try? FileManager.default.removeItem(atPath: configuration.files.folder) }
        let app = app
        try await buildChat(configuration, logger: .quiet).test(.live) { client in
            try await body(ChatWorld(client: client, app: app))
        }
    }

    /// Inserts messages of the first participant into an empty room.
    ///
    /// - Parameters:
    ///   - size: how often the text of each repeats `unit`.
    func fill(_ room: String, with count: Int, of size: Int, _ unit: String = "x") async throws {
        try await database.execute(
            """
            INSERT INTO messages (room_id, sequence, sender_id, content, created_at)
            SELECT id, n, first_id, repeat(\(unit), \(size)::int), now() + n * interval '1 millisecond'
            FROM rooms, generate_series(1, \(count)) n WHERE public_id = \(room)
            """
        )
        try await database.execute(
            "UPDATE rooms SET last_sequence = \(count), last_message = \(count) WHERE public_id = \(room)"
        )
    }

    /// The two ids of a room about a companion post.
    func companionRoom(of inquirer: AccountID, about post: CompanionPostID, by author: AccountID) async throws -> (
        String, String
    ) {
        let room = Room(id: 0, publicID: PublicID.random(), app: app, first: inquirer, second: author)
        let copies = (PublicID.random(), PublicID.random())
        let about = RoomPost(id: post, title: "서울 구경", region: "SEOUL", price: 10_000)
        _ = try await database.transaction {
            try await RoomStore().open(room, post: about, copies: copies, opener: inquirer, in: $0)
        }
        return (copies.0.rawValue, copies.1.rawValue)
    }

    /// The count of an account's presences.
    func presences(of account: AccountID) async throws -> Int {
        try await database.one("SELECT count(*) FROM presences WHERE account_id = \(account)") {
            try $0.decode(Int.self)
        }
    }
}
