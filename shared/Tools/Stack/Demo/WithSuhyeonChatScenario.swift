import StackKit

/// A chat about a companion post, as a part of the travel companions app's scenario, with a loss of the network. The
/// app's socket transmits plain JSON (With Suhyeon contract 2).
extension Phone {
    /// Plays a chat between the author of a post and another user.
    func playTalk(about post: Int64) async throws {
        let guest = another("guest")
        try await guest.signUp("여행자")
        let own = try await openSocket("The author's app opens its socket.")
        var theirs = try await guest.openSocket("The guest's app opens its own.")

        let page = try await guest.send("The guest opens the post.", .get, "/api/v1/posts/\(post)")
        guard let ids = page["result"]?["chatRoomInfoPost"] else { throw StackError("the page names no rooms") }
        let parties: [String: JSON] = [
            "senderId": ids["ownerId"] ?? .null, "receiverId": ids["writerId"] ?? .null, "postId": .integer(post),
        ]
        let first: JSON = .object(
            parties.merging(
                ["type": "CREATE", "ownerChatRoomId": "NO", "peerChatRoomId": "NO", "content": "아직 자리 있나요?"]
            ) { $1 }
        )
        try await guest.say("The first message makes the room.", first, on: theirs)
        let created = try await guest.frame(theirs, having: "CHAT_ROOM_CREATED")
        let guestRoom = try created.text("ownerChatRoomId")
        try await guest.send("The guest is in the room.", .patch, "/api/v1/chatrooms/join/\(guestRoom)")

        let rooms = try await frame(own, having: "chatRooms")
        guard let room = rooms["chatRooms"]?[0] else { throw StackError("the author's list is empty") }
        let ownRoom = try room.text("ownerChatRoomId")
        try await send("The author goes in.", .patch, "/api/v1/chatrooms/join/\(ownRoom)")
        let answer: [String: JSON] = [
            "type": "MESSAGE", "ownerChatRoomId": .string(ownRoom), "peerChatRoomId": .string(guestRoom),
            "senderId": room["chatOwnerId"] ?? .null, "receiverId": room["chatPeerId"] ?? .null,
            "postId": .integer(post),
        ]
        func write(_ story: String, _ text: String) async throws {
            try await say(story, .object(answer.merging(["content": .string(text)]) { $1 }), on: own)
        }
        try await write("And answers.", "네, 한 자리 남았어요.")
        try await guest.frame(theirs, having: "한 자리")

        tell("\n  The guest's phone loses its network.")
        await theirs.lose()
        for text in ["망원역 2번 출구에서", "여섯 시 반에 봐요.", "돗자리는 제가 챙길게요."] {
            try await write("Meanwhile the author writes on.", text)
        }
        theirs = try await guest.openSocket("The network is back, and the app's socket with it.")
        try await guest.frame(theirs, having: "돗자리")
        try await write("They go on as before.", "내일 만나요!")
        try await guest.frame(theirs, having: "내일")

        let (mine, others) = (try await log(of: ownRoom), try await guest.log(of: guestRoom))
        guard mine == others, mine.count == 6 else { throw StackError("the two phones end with different logs") }
        tell("\n  Both phones end with the same log:")
        for (number, text) in mine.enumerated() { tell("    \(number + 1)  \(text)") }
        await own.leave()
        await theirs.leave()
        try await guest.send("The guest leaves the app.", .delete, "/api/v1/auth/withdraw")
    }

    private func openSocket(_ story: String) async throws -> TextSocket {
        let ticket = try await send(story, .get, "/api/v1/user-id")
        guard let number = ticket["result"]?["userId"]?.integer else { throw StackError("the answer has no number") }
        tell("    ⇢ /chat?userId=\(number)")
        return try await TextSocket(gateway, "/chat?userId=\(number)")
    }

    private func say(_ story: String, _ frame: JSON, on socket: TextSocket) async throws {
        tell("\n  \(story)")
        tell("    ⇢ \(Self.short(frame))")
        try await socket.send(String(decoding: try frame.encoded(), as: UTF8.self))
    }

    @discardableResult
    private func frame(_ socket: TextSocket, having text: String) async throws -> JSON {
        let frame = try await socket.next { $0.contains(text) }
        tell("    ⇠ \(Self.short(frame))")
        return JSON(parsing: frame.utf8) ?? .null
    }

    /// The messages of a room's log, in order.
    private func log(of room: String) async throws -> [String] {
        let page = try await send("The phone's log of the room.", .get, "/api/v1/chatrooms/\(room)")
        return page["result"]?["chatMessages"]?.elements.compactMap { $0["content"]?.string } ?? []
    }
}
