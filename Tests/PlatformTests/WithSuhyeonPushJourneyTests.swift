import AppClients
import Apps
import Contracts
import Postgres
import TestKit
import Testing

/// Pushes of messages to absent users of With Suhyeon (With Suhyeon contract 1.2, calls 26 to 28 and 35; the calls
/// below `/api/v1/fcm` are ours).
@Suite(.timeLimit(.minutes(8))) struct WithSuhyeonPushJourneyTests {
    /// Waits until `count` sockets have a room open.
    private func untilOpen(_ count: Int, _ platform: Platform) async throws {
        try await eventually {
            try await platform.chatDatabase.client.one("SELECT count(*) FROM presences WHERE room_id > 0") {
                try $0.decode(Int.self)
            } == count
        }
    }

    /// The author opens the room and leaves it: its messages count as read.
    private func visit(_ room: JSON, by author: WithSuhyeonChat, _ platform: Platform) async throws {
        try await author.enter(room)
        try await untilOpen(1, platform)
        try await author.exit(room)
        try await untilOpen(0, platform)
        try await eventually {
            try await platform.notificationsDatabase.client.one(
                "SELECT NOT EXISTS (SELECT FROM conversations WHERE unread > 0)"
            ) { try $0.decode(Bool.self) }
        }
    }

    @Test func message_isPushedUnlessPresentOrBlocked() async throws {
        try await Platform.test { (platform) async throws in
            let (author, guest) = try await platform.withSuhyeonChat()
            try await author.client.send(\.registerPushToken, body: ["token": "p"]).result()
            let theirs = try await guest.client.socket()
            try await theirs.send(guest.opening("아직 자리 있나요?", guest.ids()))
            _ = try await theirs.next()
            let mine = try #require(try await guest.rooms().first)
            let room = try #require(try await author.rooms().first)
            let id = try await platform.chatDatabase.client.one("SELECT public_id FROM rooms") {
                try $0.decode(String.self)
            }
            let side = try room.text("ownerChatRoomId")
            func push(_ text: String, _ number: Int) -> ReceivedPush {
                .chat(text, from: "나무", in: id, side: side, collapse: "\(id)-\(number)", badge: 1)
            }
            var all = [push("아직 자리 있나요?", 1)]
            #expect(try await platform.pushes(1, to: "p") == all)

            // A recipient with the room open gets the message by socket.
            let own = try await author.client.socket()
            try await author.enter(room)
            try await untilOpen(1, platform)
            try await theirs.send(guest.message("보이죠?", in: mine))
            _ = try await own.next { $0.contains("보이죠?") }
            try await visit(room, by: author, platform)
            try await theirs.send(guest.message("나가셨네요", in: mine))
            all.append(push("나가셨네요", 3))
            #expect(try await platform.pushes(2, to: "p") == all)

            // A block applies from its creation until its removal.
            try await visit(room, by: author, platform)
            try await author.client.send(\.blockPhoneNumber, body: ["phoneNumber": "\(guest.client.number)"]).result()
            try await theirs.send(guest.message("들려요?", in: mine))
            let account = AccountID(rawValue: try room.number("chatOwnerId"))
            try await eventually {
                try await platform.notificationsDatabase.client.one(
                    """
                    SELECT EXISTS (SELECT FROM conversations WHERE account_id = \(account) AND unread = 1)
                        AND NOT EXISTS (SELECT FROM pushes)
                    """
                ) { try $0.decode(Bool.self) }
            }
            let unblocked = try await author.client
                .send(\.unblockPhoneNumber, query: "number=\(guest.client.number)")
            #expect(unblocked.status == 204)
            try await visit(room, by: author, platform)
            try await theirs.send(guest.message("이제 들려요?", in: mine))
            all.append(push("이제 들려요?", 5))
            #expect(try await platform.pushes(3, to: "p") == all)

            // The withdrawal removes the device.
            #expect(try await author.client.send(\.withdraw).status == 200)
            try await platform.device("p", belongsTo: nil)
            try await eventually { try await platform.hasLeft(account) }
            let kept = try await platform.notificationsDatabase.client.one(
                """
                SELECT (SELECT count(*) FROM devices WHERE account_id = \(account))
                    + (SELECT count(*) FROM conversations WHERE account_id = \(account))
                """
            ) { try $0.decode(Int.self) }
            #expect(kept == 0)

            // The device's next account gets its own pushes only.
            try await guest.client.send(\.registerPushToken, body: ["token": "p"]).result()
            try await platform.device("p", belongsTo: AccountID(rawValue: try mine.number("chatOwnerId")))
            #expect(try await platform.pushes(to: "p") == all)
        }
    }
}
