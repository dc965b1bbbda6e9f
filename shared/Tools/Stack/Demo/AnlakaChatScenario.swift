import FoundationEssentials
import StackKit

/// A chat between two neighbours, as a part of the real-estate app's scenario: one has the current app (Socket.IO), the
/// other a newer one (STOMP). The first loses its network during the chat.
extension Phone {
    func playChat(with neighbour: Phone) async throws {
        let other = try await neighbour.send("The neighbour opens the own profile.", .get, "/v1/users/me/profile")
        let room = try await send(
            "The person opens a chat with the neighbour.",
            .post,
            "/v1/chats",
            body: ["opponent_id": .string(try other.text("user_id"))]
        )
        let id = try room.text("room_id")
        let topic = "/topic/rooms.\(id)"
        let push = try await registerForPush()
        try await neighbour.connect("The neighbour's newer app opens its stream.", to: "/v1/chats/stream")
        try await neighbour.subscribe(topic, headers: [("after", "0")])

        var socket = try await enter(room: id, "The app joins the room's namespace.")
        try await write("The person writes.", "빵집에 같이 가실래요?", to: id)
        try await show(socket, "빵집에 같이 가실래요?")
        let last = try await neighbour.write("The neighbour answers.", "좋아요, 몇 시에요?", to: id)
        try await show(socket, "좋아요, 몇 시에요?")
        var heard = [try await neighbour.hearMessage(on: topic), try await neighbour.hearMessage(on: topic)]

        tell("\n  The person's phone loses its network.")
        await socket.lose()
        try await neighbour.hear("The neighbour's app shows that the person has gone.", on: topic) {
            $0["is_present"] == false
        }
        for text in ["아침 아홉 시 어때요?", "소금빵은 금방 나가요.", "역 앞에서 만나요."] {
            try await neighbour.write("Meanwhile the neighbour writes on.", text, to: id)
        }
        let together = "새로운 메시지가 3개 있습니다."
        try await showPush("In the other pocket, the phone has heard by FCM.", on: push, saying: together)
        let missed = try await send(
            "The network is back; the app asks for what is newer than the last that it has.",
            .get,
            "/v1/chats/\(id)?from=\(try last.text("createdAt"))"
        )
        guard missed["data"]?.elements.count == 3 else { throw StackError("the app did not get what it had missed") }
        socket = try await enter(room: id, "And joins again.")
        try await neighbour.write("The neighbour adds something.", "우산 챙기세요!", to: id)
        try await show(socket, "우산 챙기세요!")
        await socket.leave()

        let (own, theirs) = (try await log(of: id), try await neighbour.log(of: id))
        guard own == theirs, own.count == 6 else { throw StackError("the two phones end with different logs") }
        while heard.count < own.count { heard.append(try await neighbour.hearMessage(on: topic)) }
        guard heard == own else { throw StackError("the stream has told another story than the log") }
        tell("\n  Both phones end with the same log:")
        for (number, text) in own.enumerated() { tell("    \(number + 1)  \(text)") }
    }

    /// The text of the next message on the stream.
    private func hearMessage(on topic: String) async throws -> String {
        let event = try await hear("This had come on the stream:", on: topic) { $0["message"] != nil }
        return try (event["message"] ?? .null).text("content")
    }

    private func enter(room: String, _ story: String) async throws -> TextSocket {
        tell("\n  \(story)")
        tell("    ⇢ 40/chats-\(room),")
        let socket = try await TextSocket.chat(gateway, room: room, headers: headers)
        let answer = try await socket.next { $0.hasPrefix("40/") || $0.hasPrefix("44/") }
        tell("    ⇠ \(Self.short(answer))")
        guard answer.hasPrefix("40/") else { throw StackError("the namespace refused: \(answer)") }
        return socket
    }

    @discardableResult
    private func write(_ story: String, _ text: String, to room: String) async throws -> JSON {
        try await send(
            story,
            .post,
            "/v1/chats/\(room)",
            body: ["content": .string(text), "files": [], "client_id": .string(UUID().uuidString)]
        )
    }

    /// Waits for the message in the app's open room.
    private func show(_ socket: TextSocket, _ text: String) async throws {
        let event = try await socket.next { $0.hasPrefix("42/") && $0.contains(text) }
        tell("    ⇠ \(Self.short(event))")
    }

    /// The messages of a room's log, in order.
    private func log(of room: String) async throws -> [String] {
        let page = try await send("The phone's log of the room.", .get, "/v1/chats/\(room)/events?after=0")
        return page["data"]?.elements.compactMap { $0["message"]?["content"]?.string } ?? []
    }
}
