import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import TestKit
import Testing

@testable import Chat

/// No response is larger than 1 MB, and what it leaves out follows in the next one.
@Suite(.database(Migrations.all), .timeLimit(.minutes(2))) struct ResponseSizeTests {
    private var world: ChatWorld { .current }

    private static let limit = 1_000_000
    /// A character that needs six bytes in JSON.
    private static let control = "\u{1}"

    private func list<Element: Decodable>(_ path: String, of account: AccountID = 2) async throws -> [Element] {
        let answer = try await world.client(account).send(.get, path)
        try #require(answer.status == .ok)
        try #require(answer.body.readableBytes <= Self.limit)
        return try answer.json(Listed<Element>.self).data
    }

    @Test(.chat(.anlaka)) func historyOfLargestMessages_isCutAndContinues() async throws {
        let room = try await world.room(of: 1, 2)
        try await world.fill(room, with: 60, of: 65_536, Self.control)
        let path = "/v1/chats/\(room)"
        // The newest messages, then older ones.
        var older: [ReceivedChat] = try await list(path)
        #expect(older.last?.sequence == 60)
        while let first = older.first, first.sequence > 1 {
            let page: [ReceivedChat] = try await list(path + "?before=\(first.chatID)&limit=500")
            try #require(!page.isEmpty)
            older = page + older
        }
        #expect(older.map(\.sequence) == Array(1...60))
        // From the oldest message on.
        var newer: [ReceivedChat] = []
        while newer.last?.sequence != 60 {
            let from = newer.last?.createdAt ?? "2000-01-01T00:00:00.000Z"
            let page: [ReceivedChat] = try await list(path + "?from=\(from)")
            try #require(!page.isEmpty)
            newer += page
        }
        #expect(newer.map(\.sequence) == Array(1...60))
        var events: [SeenEvent] = []
        while events.last?.sequence != 60 {
            let page: [SeenEvent] = try await list(path + "/events?after=\(events.count)")
            try #require(!page.isEmpty)
            events += page
        }
        #expect(events.map(\.sequence) == Array(1...60))
    }

    /// What a socket of With Suhyeon reads after a reconnection.
    @Test(.chat(.anlaka)) func missedEvents_areReadInPages() async throws {
        let room = try await world.room(of: 1, 2)
        try await world.fill(room, with: 60, of: 65_536)
        let messages = ChatDomain.withoutService.messages
        let id = try await world.database.one("SELECT id FROM rooms WHERE public_id = \(room)") {
            try $0.decode(RoomID.self)
        }
        var wanted = EventRange(room: id, after: 2, through: 55)
        var read: [Int64] = []
        while read.last != 55 {
            let (range, events) = try await messages.events(in: wanted, for: 2)
            let size = events.map(\.message.content.utf8.count).reduce(0, +)
            // A message that begins within the limit is whole.
            try #require(range.after == wanted.after && size < Messages.byteLimit + 65_536)
            read += events.map(\.sequence)
            try #require(range.through == read.last)
            wanted = EventRange(room: wanted.room, after: range.through, through: 55)
        }
        #expect(read == Array(3...55))
    }

    /// Messages that were written before texts had a limit in bytes.
    @Test(.chat(.anlaka)) func historyOfEarlierMessages_isCut() async throws {
        let room = try await world.room(of: 1, 2)
        try await world.database.execute("ALTER TABLE messages DROP CONSTRAINT messages_content_check")
        try await world.fill(room, with: 60, of: 118_500, "e\u{300}")
        let page: [ReceivedChat] = try await list("/v1/chats/\(room)")
        #expect(page.last?.sequence == 60 && page.count == 2)
    }

    @Test(.chat(.anlaka)) func shortMessages_areNotCut() async throws {
        let room = try await world.room(of: 1, 2)
        try await world.fill(room, with: 600, of: 300)
        let page: [ReceivedChat] = try await list("/v1/chats/\(room)")
        #expect(page.map(\.sequence) == Array(101...600))
    }

    @Test(.chat(.withsuhyeon)) func companionHistory_holdsTheNewest() async throws {
        struct Answer: Decodable {
            struct Result: Decodable {
                struct Message: Decodable { var sequence: Int64 }

                var chatMessages: [Message]
            }

            var result: Result
        }
        let (copy, peer) = try await world.companionRoom(of: 1, about: 70, by: 9)
        let id = try await world.database.one("SELECT public_id FROM rooms") { try $0.decode(String.self) }
        try await world.fill(id, with: 1_000, of: 65_536)
        for (account, copy) in [(1, copy), (9, peer)] as [(AccountID, String)] {
            let answer = try await world.client(account).send(.get, "/api/v1/chatrooms/\(copy)")
            #expect(answer.status == .ok && answer.body.readableBytes <= Self.limit)
            let sequences = try answer.json(Answer.self).result.chatMessages.map(\.sequence)
            #expect(sequences == Array(986...1_000))
        }
    }

    /// Account 1 has 1,000 rooms with others, each with a last message of the greatest size.
    private func fillRooms(_ app: App) async throws {
        try await world.database.batch([
            """
            INSERT INTO people (account_id, app, public_id, nickname, introduction)
            SELECT n, \(app), lpad(n::text, 24, '0'), repeat('😀', 50), repeat(chr(1), 400)
            FROM generate_series(1001, 2000) n
            """,
            """
            INSERT INTO rooms (public_id, app, post_id, first_id, second_id, post_title, post_region, post_price,
                last_sequence, last_message, updated_at)
            SELECT lpad(n::text, 24, '0'), \(app), CASE WHEN \(app) = 'anlaka' THEN 0 ELSE n END, 1, n, '글', 'ALL', 1,
                1, 1, now() + n * interval '1 second' FROM generate_series(1001, 2000) n
            """,
            """
            INSERT INTO members (room_id, account_id, copy_id)
            SELECT id, first_id, lpad((2 * id)::text, 24, '0') FROM rooms UNION ALL
            SELECT id, second_id, lpad((2 * id + 1)::text, 24, '0') FROM rooms
            """,
            """
            INSERT INTO messages (room_id, sequence, sender_id, content, created_at)
            SELECT id, 1, second_id, repeat(chr(1), 65536), now() FROM rooms
            """,
        ])
    }

    @Test(.chat(.anlaka)) func roomList_holdsTheNewest() async throws {
        try await fillRooms(.anlaka)
        let rooms: [SeenRoom] = try await list("/v1/chats", of: 1)
        #expect(rooms.count > 50)
        let ids = (0..<rooms.count).map { String(2_000 - $0) }
        #expect(rooms.map(\.roomID) == ids.map { String(repeating: "0", count: 20) + $0 })
        #expect(rooms.allSatisfy { $0.lastChat?.content == String(repeating: Self.control, count: 500) })
    }

    @Test(.chat(.withsuhyeon)) func companionRoomList_holdsTheNewest() async throws {
        struct Answer: Decodable {
            struct Result: Decodable {
                struct Room: Decodable { var postId: Int64 }

                var chatRooms: [Room]
            }

            var result: Result
        }
        try await fillRooms(.withsuhyeon)
        let answer = try await world.client(1).send(.get, "/api/v1/chatrooms")
        #expect(answer.status == .ok && answer.body.readableBytes <= Self.limit)
        let posts = try answer.json(Answer.self).result.chatRooms.map(\.postId)
        #expect(posts.count > 200 && posts == (0..<posts.count).map { 2_000 - Int64($0) })
        let views = try await RoomStore().views(of: 1, limit: Rooms.listLimit, in: world.database)
        #expect(views.count == 1_000)
        #expect(try await WithSuhyeonPayload.rooms(views).readableBytes <= Self.limit)
    }

    /// A page of the stream ends by its size as well, and the next one follows.
    @Test(.liveChat(.anlaka)) func streamOfLargeMessages_isComplete() async throws {
        let room = try await world.room(of: 1, 2)
        try await world.fill(room, with: 60, of: 60_000)
        var subscriber = try await StreamSubscriber.connect(world, 2).listen(room, after: 0)
        #expect(try await subscriber.events(60).map(\.sequence) == Array(1...60))
    }
}
