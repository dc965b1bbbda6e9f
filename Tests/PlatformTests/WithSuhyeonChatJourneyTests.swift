import AppClients
import Apps
import TestKit
import Testing

/// Chats about companion posts as With Suhyeon's client uses them, through the gateway (With Suhyeon contract 1.2,
/// calls 21 to 24, and 2).
@Suite(.timeLimit(.minutes(8))) struct WithSuhyeonChatJourneyTests {
    private static let roomKeys: Set = [
        "ownerChatRoomId", "peerChatRoomId", "postId", "chatOwnerId", "chatPeerId", "chatPeerNickname",
        "chatPeerProfileImage", "lastChatMessage", "lastChatAt", "unReadCount", "postTitle", "postPlace", "postCost",
    ]

    /// Runs `body` with the author of a post and a guest.
    private func test(
        chats: Int = 1,
        _ body: @escaping @Sendable (Platform, WithSuhyeonChat, WithSuhyeonChat) async throws -> Void
    ) async throws {
        try await Platform.test(chats: chats) { platform in
            let (author, guest) = try await platform.withSuhyeonChat()
            try await body(platform, author, guest)
        }
    }

    @Test(arguments: [1, 2]) func chat_fromFirstMessage_isDeliveredAndLogged(copies: Int) async throws {
        try await test(chats: copies) { (platform, author, guest) async throws in
            #expect(try await guest.ids().text("ownerChatRoomId") == "NO")
            let (theirs, own) = (try await guest.client.socket(), try await author.client.socket())
            try await theirs.send(guest.opening("아직 \"자리\" 있나요?", guest.ids()))
            let created = try await theirs.nextFrame()
            #expect(created["type"] == "CHAT_ROOM_CREATED")
            let ids = try await guest.ids()
            #expect(ids["ownerChatRoomId"] == created["ownerChatRoomId"])
            #expect(ids["peerChatRoomId"] == created["peerChatRoomId"])

            // The author's list arrives unrequested, with all members that the client requires.
            let list = try await own.nextFrame()
            #expect(list.keys == ["chatRooms"])
            let room = try #require(list["chatRooms"]?[0])
            #expect(room.keys.isSuperset(of: Self.roomKeys))
            #expect(room["lastChatMessage"] == "아직 \"자리\" 있나요?" && room["unReadCount"] == 1)
            #expect(room["postTitle"] == "경포에서 같이 걸어요" && room["postPlace"] == "강릉" && room["postCost"] == "10000")
            #expect(room["chatPeerNickname"] == "나무" && room["chatPeerProfileImage"] == "img_red_suma")
            let at = try room.text("lastChatAt")
            #expect(at.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}/) != nil, "\(at)")
            #expect(try await author.rooms() == [room])

            try await author.enter(room)
            let mine = try #require(try await guest.rooms().first)
            try await guest.enter(mine)
            #expect(try await author.rooms().first?["unReadCount"] == 0)
            for number in 1...4 {
                let (from, to) = number.isMultiple(of: 2) ? (own, theirs) : (theirs, own)
                // The client sends its own room id for both when the chat was opened from the post.
                let sender = number.isMultiple(of: 2) ? author : guest
                let side = number.isMultiple(of: 2) ? room : mine
                try await from.send(sender.message("\(number)", in: side, peerCopy: side.text("ownerChatRoomId")))
                let frame = try await to.nextFrame()
                #expect(frame["content"] == .string("\(number)") && frame["timestamp"]?.string != nil)
            }
            let (log, other) = (try await author.log(of: room), try await guest.log(of: mine))
            #expect(log.map { $0["content"] } == other.map { $0["content"] } && log.count == 5)
            #expect(log.map { $0["type"] } == ["RECEIVE", "RECEIVE", "SEND", "RECEIVE", "SEND"])
            #expect(other.map { $0["type"] } == ["SEND", "SEND", "RECEIVE", "SEND", "RECEIVE"])
            #expect((log + other).allSatisfy { $0["isRead"] == .bool(true) })
            for socket in [own, theirs] { #expect(socket.unread == []) }

            // Outside of the room the client gets the list, and the message counts as unread.
            try await author.exit(room)
            try await theirs.send(guest.message("아직 거기 있어요?", in: mine))
            let fresh = try await own.nextFrame()
            #expect(fresh["chatRooms"]?[0]?["unReadCount"] == 1)
        }
    }

    @Test func forgedMessages_areIgnored() async throws {
        try await test { (platform, author, guest) async throws in
            let (theirs, own) = (try await guest.client.socket(), try await author.client.socket())
            try await theirs.send(guest.opening("안녕하세요", guest.ids()))
            _ = try await theirs.next()
            let room = try #require(try await own.nextFrame()["chatRooms"]?[0])
            let mine = try #require(try await guest.rooms().first)
            // A message in the other's name, and to the other's side of the room.
            let forged = try guest.message("forged", in: mine).merging([
                "ownerChatRoomId": "\(room.text("ownerChatRoomId"))", "peerChatRoomId": "NO",
                "senderId": .integer(mine.number("chatPeerId")), "receiverId": .integer(mine.number("chatOwnerId")),
            ])
            for text in [forged.description, "{", "[]", "ping", #"{"type":"DELETE"}"#] { try await theirs.send(text) }
            try await theirs.send(guest.message("echt", in: mine))
            _ = try await own.next { $0.contains("echt") }
            #expect(try await author.log(of: room).map { $0["content"] } == ["안녕하세요", "echt"])

            // An account id is no valid ticket.
            let account = try mine.number("chatOwnerId")
            for number in ["\(account)", "0", "-1", "x", ""] {
                let socket = try? await guest.client.socket(ticket: number)
                _ = try await socket?.ended()
            }
            let third = try await WithSuhyeonClient(platform, kakao: 13, number: "01033330000", nickname: "바다")
            let copy = try room.text("ownerChatRoomId")
            #expect(try await third.send(\.listMessages, copy).refusal == "410 CHAT_ROOM_001")
            #expect(try await third.send(\.joinChatRoom, copy).refusal == "410 CHAT_ROOM_001")
        }
    }

    @Test func deletedPost_deletesRoomAndKeepsSession() async throws {
        try await test { (platform, author, guest) async throws in
            let theirs = try await guest.client.socket()
            try await theirs.send(guest.opening("안녕하세요", guest.ids()))
            _ = try await theirs.next()
            let mine = try #require(try await guest.rooms().first)
            try await guest.enter(mine)
            #expect(try await author.client.send(\.deletePost, author.post).status == 204)
            try await eventually { try await guest.rooms().isEmpty }
            try await guest.exit(mine)
            let copy = try mine.text("ownerChatRoomId")
            #expect(try await guest.client.send(\.listMessages, copy).refusal == "410 CHAT_ROOM_001")
            try await theirs.send(guest.message("hallo?", in: mine))
            #expect(try await author.rooms() == [])
            #expect(try await guest.client.send(\.getProfile).status == 200)
        }
    }

    @Test func signOut_closesSocket() async throws {
        try await test { (platform, author, guest) async throws in
            let socket = try await guest.client.socket()
            #expect(try await guest.client.send(\.signOut).status == 200)
            try await socket.ended()
        }
    }
}
