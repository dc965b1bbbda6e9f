import AppClients
import Apps
import NIOHTTP1
import TestKit
import Testing

/// Chats as Anlaka's client uses them, through the gateway (Anlaka contract 2.4, 5, and 8, items 9 to 11).
@Suite(.timeLimit(.minutes(8))) struct AnlakaChatJourneyTests {
    private typealias Shape = JSONShape.Anlaka

    /// Signs in three users; the first two share a room.
    private func test(
        chats: Int = 1,
        _ body: @escaping @Sendable (Platform, [AnlakaClient], _ room: String) async throws -> Void
    ) async throws {
        try await Platform.test(chats: chats) { platform in
            var clients: [AnlakaClient] = []
            for nick in ["하루", "나무", "바다"] {
                clients.append(try await AnlakaClient(platform, "\(clients.count)@b.kr", nick: nick))
            }
            let opened = try await clients[0].send(\.openChatRoom, body: ["opponent_id": "\(clients[1].id)"]).shaped(
                Shape.room
            )
            try await body(platform, clients, try opened.text("room_id"))
        }
    }

    @Test func roomList_ordersByLatestMessage() async throws {
        try await test { (platform, clients, room) async throws in
            let (a, b, c) = (clients[0], clients[1], clients[2])
            let back = try await b.send(\.openChatRoom, body: ["opponent_id": "\(a.id)"]).shaped(Shape.room)
            #expect(back["room_id"]?.string == room)
            #expect(Set(back["participants"]?.elements.compactMap { $0["user_id"]?.string } ?? []) == [a.id, b.id])
            try await a.send(\.openChatRoom, body: ["opponent_id": "\(a.id)"]).refused(400)
            try await a.send(\.openChatRoom, body: ["opponent_id": "\(String(repeating: "0", count: 24))"]).refused(404)
            try await a.send(\.openChatRoom, body: "{}").refused(400)

            let other = try await a.send(\.openChatRoom, body: ["opponent_id": "\(c.id)"]).shaped(Shape.room)
            let said = try await b.send(\.sendMessage, room, body: ["content": "안녕", "files": []]).shaped(Shape.chat)
            let list = try await a.send(\.listChatRooms).shaped(Shape.rooms)
            #expect(list.texts("room_id") == [room, other["room_id"]?.string])
            #expect(list["data"]?.elements.first?["lastChat"] == said)
            #expect(list["data"]?.elements.first?["unreadCount"] == 1)
            try await a.send(\.markChatRoomRead, room).empty()
            let read = try await a.send(\.listChatRooms).shaped(Shape.rooms)
            #expect(read["data"]?.elements.first?["unreadCount"] == 0)
        }
    }

    /// The client wraps its query in `Optional("…")`, percent-encoded, and expects strictly newer messages.
    @Test func history_fromMessage_returnsNewerMessages() async throws {
        try await test { (platform, clients, room) async throws in
            var said: [JSON] = []
            for number in 1...5 {
                said.append(try await clients[number % 2].write("\(number)", in: room).shaped(Shape.chat))
            }
            #expect(try await clients[0].send(\.listMessages, room).shaped(Shape.chats)["data"]?.elements == said)
            for (index, chat) in said.enumerated() {
                let from = try chat.text("createdAt")
                for query in [
                    "from=\(from)", "next=\(from)", "from=Optional(%22\(from.encoded)%22)&room_id=Optional(%22x%22)",
                ] {
                    let newer = try await clients[1].send(\.listMessages, room, query: query).shaped(Shape.chats)
                    #expect(newer["data"]?.elements == Array(said[(index + 1)...]), "\(query)")
                }
            }
            for query in ["from=yesterday", "from=2025-13-01T00:00:00.000Z", "limit=0&before=\(room)"] {
                try await clients[0].send(\.listMessages, room, query: query).refused(400)
            }
            try await clients[0].send(\.listMessages, "nothing").refused(404)
            try await clients[0].send(\.listMessages, String(repeating: "0", count: 24)).refused(404)
            try await clients[2].send(\.listMessages, room).refused(445)
            try await clients[2].send(\.sendMessage, room, body: ["content": "x"]).refused(445)
            for body: RequestBody in [
                ["content": "", "files": []], ["content": "x", "files": ["/data/chats/x.jpg"]], "{", "[]",
            ] {
                try await clients[0].send(\.sendMessage, room, body: body).refused(400)
            }
            try await clients[0].send(.post, "/v1/chats/\(room)/nothing/at/all", body: "{}").refused(444)
        }
    }

    @Test func chatFiles_areVisibleToParticipantsOnly() async throws {
        try await test { (platform, clients, room) async throws in
            func upload(_ parts: [(String, [UInt8])], _ status: Int, by client: AnlakaClient) async throws -> [String] {
                var form = MultipartForm()
                for (name, bytes) in parts { form = form.file("files", bytes, filename: name) }
                let answer = try await client.send(\.uploadChatFiles, room, body: .form(form.text("room_id", room)))
                #expect(answer.status == status, "\(parts.map(\.0)): \(answer.body)")
                return try answer.value(JSON.self)["files"]?.elements.compactMap(\.string) ?? []
            }
            let limit = 5 * 1024 * 1024
            let picture = Picture.jpeg(size: 40_000)
            let paths = try await upload(
                [("a.jpg", picture), ("b.jpg", Picture.jpeg(size: 2000))],
                200,
                by: clients[0]
            )
            #expect(paths.count == 2)
            _ = try await upload([("a.jpg", Picture.jpeg(size: limit))], 200, by: clients[0])
            _ = try await upload([("a.jpg", Picture.jpeg(size: limit + 1))], 400, by: clients[0])
            _ = try await upload([("a.jpg", Array("<html>".utf8))], 400, by: clients[0])
            _ = try await upload((1...6).map { ("\($0).jpg", Picture.jpeg(size: 500)) }, 400, by: clients[0])
            _ = try await upload([], 400, by: clients[0])
            _ = try await upload([("a.jpg", Picture.jpeg(size: 500))], 445, by: clients[2])

            // Before the message is sent only the sender may read the file; afterwards the other participant may, too.
            let first = try #require(paths.first)
            #expect(try await clients[1].send(.get, "/v1\(first)").status == 403)
            let message: RequestBody = ["content": "", "files": .array(paths.map(JSON.string))]
            try await clients[1].send(\.sendMessage, room, body: message).refused(400)
            let sent = try await clients[0].send(\.sendMessage, room, body: message).shaped(Shape.chat)
            #expect(sent["files"]?.elements.compactMap(\.string) == paths)
            let got = try await clients[1].send(.get, "/v1\(first)")
            #expect(got.status == 200 && got.bytes.elementsEqual(picture))
            #expect(got.headers["content-type"] == ["image/jpeg"])
            #expect(try await clients[2].send(.get, "/v1\(first)").status == 403)
            #expect(try await platform.anlaka.send(.get, "/v1\(first)").status == 401)
            #expect(try await platform.send(.get, "/v1\(first)").status == 420)
            #expect(try await clients[0].send(\.getChatFile, "nothing.jpg").status == 404)
        }
    }

    @Test(arguments: [1, 2]) func message_isDeliveredToParticipantSockets(copies: Int) async throws {
        try await test(chats: copies) { (platform, clients, room) async throws in
            // With two replicas of the service, sockets are spread over both in turn.
            let sockets = [
                try await clients[0].chat(room), try await clients[1].chat(room), try await clients[0].chat(room),
                try await clients[1].chat(room),
            ]
            for socket in sockets {
                #expect(try await socket.next().hasPrefix(#"40/chats-\#(room),{"sid":""#))
            }
            for number in 1...6 {
                let said = try await clients[number % 2].write("\(number) \"번\"", in: room).shaped(Shape.chat)
                for socket in sockets {
                    let frame = try await socket.next()
                    let prefix = "42/chats-\(room),"
                    try #require(frame.hasPrefix(prefix), "\(frame)")
                    let event = try #require(JSON(parsing: frame.dropFirst(prefix.count).utf8))
                    #expect(event.elements.count == 2 && event[0] == "chat")
                    #expect(event[1] == said)
                }
            }
            for socket in sockets { await socket.close() }
        }
    }

    @Test func socketJoin_withoutPermission_isRefusedWithMessage() async throws {
        try await test { (platform, clients, room) async throws in
            let (headers, key) = (clients[0].connection.currentHeaders, ["SeSACKey": AppKey.anlaka])
            for (name, headers) in [
                ("chats-\(room)", clients[2].connection.currentHeaders),
                ("chats-\(String(repeating: "0", count: 24))", headers), ("chats-x", headers), ("", headers),
                ("other", headers), ("chats-\(room)", key),
                ("chats-\(room)", key.merging(["Authorization": "x.y.z"]) { $1 }),
            ] {
                let socket = try await clients[0].socketIO(joining: name, headers: headers)
                let refusal = try await socket.next()
                #expect(refusal.hasPrefix("44"), "\(name): \(refusal)")
                #expect(refusal.contains(#""message":""#), "\(refusal)")
            }
            // Without a key the gateway refuses the upgrade.
            await #expect(throws: (any Error).self) {
                _ = try await clients[0].socketIO(joining: "chats-\(room)", headers: [:])
            }
        }
    }

    @Test func withdrawal_closesSocketAndAnonymizesSender() async throws {
        try await test { (platform, clients, room) async throws in
            let socket = try await clients[0].chat(room)
            _ = try await socket.next { $0.hasPrefix("40/") }
            try await clients[0].send(\.sendMessage, room, body: ["content": "안녕히"]).shaped(Shape.chat)
            let account = try await platform.account(of: clients[0])
            #expect(try await clients[0].send(\.withdraw).status == 200)
            try await socket.ended()
            try await eventually { try await platform.hasLeft(account) }

            let kept = try await clients[1].send(\.listMessages, room).shaped(Shape.chats)
            let chat = try #require(kept["data"]?.elements.first)
            #expect(chat["content"] == "안녕히" && chat["sender"]?["nick"] == "탈퇴한 사용자")
            try await clients[1].send(\.sendMessage, room, body: ["content": "어디 있어요?"]).refused(404)
        }
    }
}
