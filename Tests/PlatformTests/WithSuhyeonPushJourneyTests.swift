import Contracts
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Auth
@testable import Gateway
@testable import Stack
@testable import StackKit

/// Pushes of messages to absent users of With Suhyeon (With Suhyeon contract 1.2, calls 26 to 28 and 35; the calls
/// below `/api/v1/fcm` are ours).
@Suite(.timeLimit(.minutes(8))) struct WithSuhyeonPushJourneyTests {
    /// Waits until `count` sockets have a room open.
    private func look(_ count: Int, _ platform: Platform) async throws {
        try await platform.eventually {
            try await platform.chatDatabase.client.one("SELECT count(*) FROM presences WHERE room_id > 0") {
                try $0.decode(Int.self)
            } == count
        }
    }

    /// The author opens the room and leaves it: its messages count as read.
    private func visit(_ room: JSON, by author: Talker) async throws {
        try await author.enter(room)
        try await look(1, author.phone.platform)
        try await author.exit(room)
        try await look(0, author.phone.platform)
        try await author.phone.platform.eventually {
            try await author.phone.platform.notificationsDatabase.client.one(
                "SELECT NOT EXISTS (SELECT FROM conversations WHERE unread > 0)"
            ) { try $0.decode(Bool.self) }
        }
    }

    @Test func message_isPushedUnlessPresentOrBlocked() async throws {
        try await Platform.test { (platform) async throws in
            let (author, guest) = try await Talker.meet(platform)
            try await author.phone.result(.PUT, "fcm/token", #"{"token":"p"}"#)
            let theirs = try await guest.socket()
            try await guest.create("아직 자리 있나요?", on: theirs)
            _ = try await theirs.next()
            let mine = try #require(try await guest.rooms().first)
            let room = try #require(try await author.rooms().first)
            let id = try await platform.chatDatabase.client.one("SELECT public_id FROM rooms") {
                try $0.decode(String.self)
            }
            let side = try room.text("ownerChatRoomId")
            func told(_ text: String, _ number: Int) -> PhonePush {
                .chat(text, from: "나무", in: id, side: side, collapse: "\(id)-\(number)", badge: 1)
            }
            var all = [told("아직 자리 있나요?", 1)]
            #expect(try await platform.pushes(1, to: "p") == all)

            // A recipient with the room open gets the message by socket.
            let own = try await author.socket()
            try await author.enter(room)
            try await look(1, platform)
            try await guest.write("보이죠?", in: mine, on: theirs)
            _ = try await own.next { $0.contains("보이죠?") }
            try await visit(room, by: author)
            try await guest.write("나가셨네요", in: mine, on: theirs)
            all.append(told("나가셨네요", 3))
            #expect(try await platform.pushes(2, to: "p") == all)

            // A block applies from its creation until its removal.
            try await visit(room, by: author)
            try await author.phone.result(.POST, "mypage/blocks", #"{"phoneNumber":"\#(guest.phone.number)"}"#)
            try await guest.write("들려요?", in: mine, on: theirs)
            let account = AccountID(rawValue: try room.number("chatOwnerId"))
            try await platform.eventually {
                try await platform.notificationsDatabase.client.one(
                    """
                    SELECT EXISTS (SELECT FROM conversations WHERE account_id = \(account) AND unread = 1)
                        AND NOT EXISTS (SELECT FROM pushes)
                    """
                ) { try $0.decode(Bool.self) }
            }
            let unblocked = try await author.phone.ask(.DELETE, "mypage/blocks?number=\(guest.phone.number)")
            #expect(unblocked.status == 204)
            try await visit(room, by: author)
            try await guest.write("이제 들려요?", in: mine, on: theirs)
            all.append(told("이제 들려요?", 5))
            #expect(try await platform.pushes(3, to: "p") == all)

            // The withdrawal removes the device.
            #expect(try await author.phone.ask(.DELETE, "auth/withdraw").status == 200)
            try await platform.phone("p", isOf: nil)
            try await platform.eventually { try await platform.hasLeft(account) }
            let kept = try await platform.notificationsDatabase.client.one(
                """
                SELECT (SELECT count(*) FROM devices WHERE account_id = \(account))
                    + (SELECT count(*) FROM conversations WHERE account_id = \(account))
                """
            ) { try $0.decode(Int.self) }
            #expect(kept == 0)

            // The device's next account gets its own pushes only.
            try await guest.phone.result(.PUT, "fcm/token", #"{"token":"p"}"#)
            try await platform.phone("p", isOf: AccountID(rawValue: try mine.number("chatOwnerId")))
            #expect(try await platform.pushes(to: "p") == all)
        }
    }
}
