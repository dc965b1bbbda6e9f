import Contracts
import NIOHTTP1
import TestKit
import Testing

@testable import Gateway
@testable import Stack
@testable import StackKit

/// Chats as Anlaka's client uses them, through the gateway (Anlaka contract 2.4, 5, and 8, items 9 to 11).
@Suite(.timeLimit(.minutes(8))) struct AnlakaChatJourneyTests {
    private typealias Shape = JSONShape.Anlaka

    /// Signs in three users; the first two share a room.
    private func test(
        chats: Int = 1,
        _ body: @escaping @Sendable (Platform, [KeyedPhone], _ room: String) async throws -> Void
    ) async throws {
        try await Platform.test(chats: chats) { platform in
            var phones: [KeyedPhone] = []
            for nick in ["하루", "나무", "바다"] {
                phones.append(try await KeyedPhone(platform, .anlaka, "\(phones.count)@b.kr", nick: nick))
            }
            let opened = try await phones[0].ask(
                .POST,
                "/v1/chats",
                #"{"opponent_id":"\#(phones[1].id)"}"#,
                200,
                Shape.room
            )
            try await body(platform, phones, try #require(opened["room_id"]?.text))
        }
    }

    @Test func roomList_ordersByLatestMessage() async throws {
        try await test { (platform, phones, room) async throws in
            let (a, b, c) = (phones[0], phones[1], phones[2])
            let back = try await b.ask(.POST, "/v1/chats", #"{"opponent_id":"\#(a.id)"}"#, 200, Shape.room)
            #expect(back["room_id"]?.text == room)
            #expect(Set(back["participants"]?.values.compactMap { $0["user_id"]?.text } ?? []) == [a.id, b.id])
            try await a.ask(.POST, "/v1/chats", #"{"opponent_id":"\#(a.id)"}"#, 400)
            try await a.ask(.POST, "/v1/chats", #"{"opponent_id":"\#(String(repeating: "0", count: 24))"}"#, 404)
            try await a.ask(.POST, "/v1/chats", "{}", 400)

            let other = try await a.ask(.POST, "/v1/chats", #"{"opponent_id":"\#(c.id)"}"#, 200, Shape.room)
            let said = try await b.ask(.POST, "/v1/chats/\(room)", #"{"content":"안녕","files":[]}"#, 200, Shape.chat)
            let list = try await a.ask(.GET, "/v1/chats", nil, 200, Shape.rooms)
            #expect(list.texts("room_id") == [room, other["room_id"]?.text])
            #expect(list["data"]?.values.first?["lastChat"] == said)
            #expect(list["data"]?.values.first?["unreadCount"] == .int(1))
            try await a.ask(.PUT, "/v1/chats/\(room)/read", nil, 200)
            let read = try await a.ask(.GET, "/v1/chats", nil, 200, Shape.rooms)
            #expect(read["data"]?.values.first?["unreadCount"] == .int(0))
        }
    }

    /// The client wraps its query in `Optional("…")`, percent-encoded, and expects strictly newer messages.
    @Test func history_fromMessage_returnsNewerMessages() async throws {
        try await test { (platform, phones, room) async throws in
            let path = "/v1/chats/\(room)"
            var said: [JSONValue] = []
            for number in 1...5 {
                let json = #"{"content":"\#(number)","files":[]}"#
                said.append(try await phones[number % 2].ask(.POST, path, json, 200, Shape.chat))
            }
            #expect(try await phones[0].ask(.GET, path, nil, 200, Shape.chats)["data"]?.values == said)
            for (index, chat) in said.enumerated() {
                let from = try #require(chat["createdAt"]?.text)
                for query in [
                    "from=\(from)", "next=\(from)", "from=Optional(%22\(from.encoded)%22)&room_id=Optional(%22x%22)",
                ] {
                    let newer = try await phones[1].ask(.GET, "\(path)?\(query)", nil, 200, Shape.chats)
                    #expect(newer["data"]?.values == Array(said[(index + 1)...]), "\(query)")
                }
            }
            for query in ["from=yesterday", "from=2025-13-01T00:00:00.000Z", "limit=0&before=\(room)"] {
                try await phones[0].ask(.GET, "\(path)?\(query)", nil, 400)
            }
            try await phones[0].ask(.GET, "/v1/chats/nothing", nil, 404)
            try await phones[0].ask(.GET, "/v1/chats/\(String(repeating: "0", count: 24))", nil, 404)
            try await phones[2].ask(.GET, path, nil, 445)
            try await phones[2].ask(.POST, path, #"{"content":"x"}"#, 445)
            for body in [#"{"content":"","files":[]}"#, #"{"content":"x","files":["/data/chats/x.jpg"]}"#, "{", "[]"] {
                try await phones[0].ask(.POST, path, body, 400)
            }
            try await phones[0].ask(.POST, "\(path)/nothing/at/all", "{}", 444)
        }
    }

    @Test func chatFiles_areVisibleToParticipantsOnly() async throws {
        try await test { (platform, phones, room) async throws in
            let path = "/v1/chats/\(room)"
            func upload(_ parts: [(String, [UInt8])], _ status: Int, by phone: KeyedPhone) async throws -> [String] {
                var form = MultipartForm()
                for (name, bytes) in parts { form = form.file("files", bytes, filename: name) }
                let answer = try await platform.send(
                    .POST,
                    "\(path)/files",
                    key: phone.key,
                    token: phone.token,
                    form: form.text("room_id", room)
                )
                #expect(answer.status == status, "\(parts.map(\.0)): \(answer.body)")
                return try answer.value(JSONValue.self)["files"]?.values.compactMap(\.text) ?? []
            }
            let limit = 5 * 1024 * 1024
            let picture = Picture.jpeg(size: 40_000)
            let paths = try await upload([("a.jpg", picture), ("b.jpg", Picture.jpeg(size: 2000))], 200, by: phones[0])
            #expect(paths.count == 2)
            _ = try await upload([("a.jpg", Picture.jpeg(size: limit))], 200, by: phones[0])
            _ = try await upload([("a.jpg", Picture.jpeg(size: limit + 1))], 400, by: phones[0])
            _ = try await upload([("a.jpg", Array("<html>".utf8))], 400, by: phones[0])
            _ = try await upload((1...6).map { ("\($0).jpg", Picture.jpeg(size: 500)) }, 400, by: phones[0])
            _ = try await upload([], 400, by: phones[0])
            _ = try await upload([("a.jpg", Picture.jpeg(size: 500))], 445, by: phones[2])

            // Before the message is sent only the sender may read the file; afterwards the other participant may, too.
            let first = try #require(paths.first)
            #expect(try await phones[1].file("/v1\(first)").status == 403)
            let files = paths.map { "\"\($0)\"" }.joined(separator: ",")
            try await phones[1].ask(.POST, path, #"{"content":"","files":[\#(files)]}"#, 400)
            let sent = try await phones[0].ask(
                .POST,
                path,
                #"{"content":"","files":[\#(files)]}"#,
                200,
                Shape.chat
            )
            #expect(sent["files"]?.values.compactMap(\.text) == paths)
            let got = try await phones[1].file("/v1\(first)")
            #expect(got.status == 200 && got.bytes.elementsEqual(picture))
            #expect(got.headers["content-type"] == ["image/jpeg"])
            #expect(try await phones[2].file("/v1\(first)").status == 403)
            #expect(try await phones[0].file("/v1\(first)", isSignedIn: false).status == 401)
            #expect(try await platform.send(.GET, "/v1\(first)").status == 420)
            #expect(try await phones[0].file("/v1/data/chats/nothing.jpg").status == 404)
        }
    }

    @Test(arguments: [1, 2]) func message_isDeliveredToParticipantSockets(copies: Int) async throws {
        try await test(chats: copies) { (platform, phones, room) async throws in
            // With two replicas of the service, sockets are spread over both in turn.
            let sockets = [
                try await phones[0].chat(room), try await phones[1].chat(room), try await phones[0].chat(room),
                try await phones[1].chat(room),
            ]
            for socket in sockets {
                #expect(try await socket.next().hasPrefix(#"40/chats-\#(room),{"sid":""#))
            }
            for number in 1...6 {
                let json = #"{"content":"\#(number) \"번\"","files":[]}"#
                let said = try await phones[number % 2].ask(.POST, "/v1/chats/\(room)", json, 200, Shape.chat)
                for socket in sockets {
                    let frame = try await socket.next()
                    let prefix = "42/chats-\(room),"
                    try #require(frame.hasPrefix(prefix), "\(frame)")
                    let event = try #require(JSON(parsing: frame.dropFirst(prefix.count).utf8))
                    #expect(event.elements.count == 2 && event[0] == "chat")
                    let shown = try #require(event[1])
                    #expect(JSON(parsing: said.json.utf8) == shown)
                }
            }
            for socket in sockets { await socket.leave() }
        }
    }

    @Test func socketJoin_withoutPermission_isRefusedWithMessage() async throws {
        try await test { (platform, phones, room) async throws in
            let headers = [("SeSACKey", phones[0].key), ("Authorization", phones[0].token)]
            for (name, headers) in [
                ("chats-\(room)", [("SeSACKey", phones[2].key), ("Authorization", phones[2].token)]),
                ("chats-\(String(repeating: "0", count: 24))", headers), ("chats-x", headers), ("", headers),
                ("other", headers), ("chats-\(room)", [("SeSACKey", phones[0].key)]),
                ("chats-\(room)", [("SeSACKey", phones[0].key), ("Authorization", "x.y.z")]),
            ] {
                let path = "/socket.io/?transport=websocket&EIO=4"
                let socket = try await TextSocket(platform.gateway, path, headers: headers)
                _ = try await socket.next { $0.hasPrefix("0{") }
                try await socket.send("40/\(name),")
                let refusal = try await socket.next()
                #expect(refusal.hasPrefix("44"), "\(name): \(refusal)")
                #expect(refusal.contains(#""message":""#), "\(refusal)")
            }
            // Without a key the gateway refuses the upgrade.
            await #expect(throws: (any Error).self) {
                _ = try await TextSocket(platform.gateway, "/socket.io/?transport=websocket&EIO=4")
            }
        }
    }

    @Test func withdrawal_closesSocketAndAnonymizesSender() async throws {
        try await test { (platform, phones, room) async throws in
            let socket = try await phones[0].chat(room)
            _ = try await socket.next { $0.hasPrefix("40/") }
            try await phones[0].ask(.POST, "/v1/chats/\(room)", #"{"content":"안녕히"}"#, 200, Shape.chat)
            let account = try await phones[0].account
            let left = try await platform.send(.DELETE, "/v1/users/me", key: phones[0].key, token: phones[0].token)
            #expect(left.status == 200)
            try await socket.ended()
            while try await !platform.hasLeft(account) { try await Task.sleep(for: .milliseconds(20)) }

            let kept = try await phones[1].ask(.GET, "/v1/chats/\(room)", nil, 200, Shape.chats)
            let chat = try #require(kept["data"]?.values.first)
            #expect(chat["content"] == .string("안녕히") && chat["sender"]?["nick"] == .string("탈퇴한 사용자"))
            try await phones[1].ask(.POST, "/v1/chats/\(room)", #"{"content":"어디 있어요?"}"#, 404)
        }
    }
}
