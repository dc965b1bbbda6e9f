import AppClients

/// A talk of a guest with the author of a post, on the app's socket.
struct WithSuhyeonTalk {
    let stage: Stage
    let author: Person
    let guest: Person
    let post: Int64

    func play() async throws {
        let (host, visitor) = (chat(author), chat(guest))
        let (own, theirs) = (try await open(author, host), try await open(guest, visitor))
        try await theirs.send(visitor.opening("아직 자리 있나요?", visitor.ids()))
        let created = try await theirs.nextFrame(containing: "CHAT_ROOM_CREATED")
        stage.received("RECV CHAT_ROOM_CREATED /chat", created.description.utf8)
        stage.compare("SEND CREATE /chat", true, expected: "", came: "", as: "answered by CHAT_ROOM_CREATED")
        let list = try await own.nextFrame(containing: "chatRooms")
        stage.received("RECV CHAT_ROOMS /chat", list.description.utf8)
        guard let room = list["chatRooms"]?[0] else { throw ClientError("the author's list is empty") }

        let (mine, other) = (try room.text("ownerChatRoomId"), try created.text("ownerChatRoomId"))
        try await guest.ask("PATCH /api/v1/chatrooms/join/{chatRoomId}", other)
        try await own.send(host.message("네, 한 자리 남았어요.", in: room, peerCopy: other))
        let message = try await theirs.nextFrame(containing: "한 자리")
        stage.received("RECV ROOM_MESSAGE /chat", message.description.utf8)
        stage.compare("SEND MESSAGE /chat", true, expected: "", came: "", as: "answered by ROOM_MESSAGE")
        try await rest(mine, other)
        await own.close()
        await theirs.close()
    }

    private func rest(_ mine: String, _ other: String) async throws {
        try await author.ask("GET /api/v1/chatrooms")
        try await author.ask("GET /api/v1/chatrooms/{chatRoomId}", mine)
        try await guest.ask("PATCH /api/v1/chatrooms/exit/{chatRoomId}", other)
        let unknown = "aaaaaaaaaaaaaaaaaaaaaaaa"
        for (method, path) in [("GET", ""), ("PATCH", "/join")] {
            let call = "\(method) /api/v1/chatrooms\(path)/{chatRoomId}"
            try await guest.refused(call, unknown, with: 410, code: "CHAT_ROOM_001", when: "unknown id")
        }
    }

    private func chat(_ person: Person) -> WithSuhyeonChat {
        let client = WithSuhyeonClient(person.connection.gateway)
        client.connection.tokens = person.connection.tokens
        return WithSuhyeonChat(client, about: post)
    }

    /// Opens a person's socket with a ticket.
    private func open(_ person: Person, _ chat: WithSuhyeonChat) async throws -> TextSocket {
        let ticket = try await person.ask("GET /api/v1/user-id")["result"] ?? .null
        let socket = try await chat.client.socket(ticket: "\(ticket.number("userId"))")
        stage.compare("CONNECT /chat?userId={userId}", true, expected: "", came: "", as: "opened")
        return socket
    }
}
