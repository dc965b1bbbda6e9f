import AppClients
import Apps
import Values

/// A chat of two neighbours: the messages by REST, their events by Socket.IO.
struct AnlakaChat {
    let stage: Stage
    let person: Person
    let neighbour: Person

    func play() async throws {
        await person.settle(.post, "/v1/chats", body: ["opponent_id": .string(neighbour.id)])
        let room = try await person.ask("POST /v1/chats", body: ["opponent_id": .string(neighbour.id)]).text("room_id")
        let unknown: RequestBody = ["opponent_id": .string(AnlakaScenario.unknown)]
        try await person.refused("POST /v1/chats", body: unknown, with: 404, when: "unknown user")
        try await person.refused(
            "POST /v1/chats",
            body: ["opponent_id": .string(person.id)],
            with: 400,
            when: "oneself"
        )
        try await stage.part("messages") { try await messages(room) }
        try await stage.part("Socket.IO") { try await socket(room) }
    }

    private func messages(_ room: String) async throws {
        let call = "/v1/chats/{room_id}"
        let first = try await person.ask("POST \(call)", room, body: ["content": "빵집에 같이 가실래요?", "files": []])
        try await person.refused(
            "POST \(call)",
            room,
            body: ["content": "", "files": []],
            with: 400,
            when: "empty text"
        )
        let files = try await person.ask("POST \(call)/files", room, body: SamplePicture.form("files"))
        try await person.refused(
            "POST \(call)/files",
            room,
            body: SamplePicture.form("other"),
            with: 400,
            when: "no file"
        )
        let picture: JSON = ["content": "", "files": files["files"] ?? []]
        try await person.ask("POST \(call)", room, body: .json(picture), as: "file")
        if let path = files["files"]?[0]?.string?.stripping("/data/") {
            try await neighbour.ask("GET /v1/data/{path}", path, as: "file of a chat")
        }
        try await neighbour.ask("GET \(call)", room)
        let from = "room_id=Optional(%22\(room)%22)&from=Optional(%22\(try first.text("createdAt"))%22)"
        let newer = try await neighbour.ask("GET \(call)", room, query: from, as: "newer")
        let count = newer["data"]?.elements.count ?? 0
        stage.compare("GET \(call)", count == 1, expected: "the one later message", came: "\(count)", as: "newer")
        try await neighbour.refused("GET \(call)", room, query: "from=nonsense", with: 400, when: "no instant")
        for method in ["GET", "POST"] {
            let body: RequestBody? = method == "POST" ? ["content": "x"] : nil
            try await person.refused(
                "\(method) \(call)",
                AnlakaScenario.unknown,
                body: body,
                with: 404,
                when: "unknown id"
            )
        }
        try await neighbour.ask("GET /v1/chats")
    }

    /// The room's namespace, as the app's library joins and leaves it.
    private func socket(_ room: String) async throws {
        let upgrade = "UPGRADE /socket.io/?transport=websocket&EIO=4"
        let url = person.connection.socketURL("/socket.io/?transport=websocket&EIO=4")
        let raw = try await TextSocket(url, headers: person.connection.currentHeaders)
        let open = try await raw.next { $0.hasPrefix("0") }
        stage.received(upgrade, open.dropFirst().utf8, as: "open")
        await raw.close()

        let pings = PingCount()
        let socket = try await TextSocket(
            url,
            headers: person.connection.currentHeaders,
            reply: { text in
                guard text == "2" else { return nil }
                pings.add()
                return "3"
            }
        )
        _ = try await socket.next { $0.hasPrefix("0") }
        try await socket.send("40/chats-\(room),")
        let joined = try await socket.next { $0.hasPrefix("4") }
        let begin = "40/chats-\(room),"
        stage.compare("CONNECT /chats-{room_id}", joined.hasPrefix(begin), expected: begin, came: joined, as: "frame")
        if joined.hasPrefix(begin) { stage.received("CONNECT /chats-{room_id}", joined.dropFirst(begin.count).utf8) }
        try await neighbour.ask("POST /v1/chats/{room_id}", room, body: ["content": "몇 시에요?", "files": []])
        let event = "EVENT chat (server to client) /chats-{room_id}"
        let text = try await socket.next { $0.hasPrefix("42/") }
        let payload = text.drop { $0 != "[" }
        let tree = try? JSONTree(parsing: payload.utf8)
        let isChat = tree?.elements.count == 2 && tree?.elements.first == .string("chat")
        stage.compare(event, isChat, expected: "[\"chat\",{…}]", came: String(text.prefix(80)), as: "frame")
        if isChat, let message = tree?.elements.last { stage.received(event, message.text.utf8, as: "payload") }
        try await refused(room)
        try await ping(pings, open)
        await socket.close()
    }

    /// A namespace of a room that is not there.
    private func refused(_ room: String) async throws {
        let url = person.connection.socketURL("/socket.io/?transport=websocket&EIO=4")
        let headers = person.connection.currentHeaders
        let socket = try await TextSocket(url, headers: headers, reply: { $0 == "2" ? "3" : nil })
        _ = try await socket.next { $0.hasPrefix("0") }
        let namespace = "/chats-\(AnlakaScenario.unknown),"
        try await socket.send("40\(namespace)")
        let answer = try await socket.next { $0.hasPrefix("4") }
        let call = "CONNECT_ERROR /chats-{room_id}"
        stage.compare(call, answer.hasPrefix("44\(namespace)"), expected: "44\(namespace)", came: answer, as: "frame")
        if answer.hasPrefix("44") { stage.received(call, answer.drop { $0 != "{" }.utf8, as: "payload") }
        await socket.close()
    }

    /// Waits for the server's ping, of which the first frame has said when it comes.
    private func ping(_ pings: PingCount, _ open: String) async throws {
        let call = "PING/PONG /socket.io/"
        let interval = (try? JSONTree(parsing: open.dropFirst().utf8))?["pingInterval"]?.integer ?? 25_000
        guard interval <= 30_000 else {
            return stage.results.skip(call, because: "the server pings after \(interval / 1000) seconds only")
        }
        let limit = Duration.milliseconds(interval + 5_000)
        let came = (try? await waitUntil("a ping", every: .milliseconds(100), atMost: limit) { pings.count > 0 }) != nil
        stage.compare(call, came, expected: "a ping within \(interval) ms", came: "none", as: "ping")
    }
}
