import AppClients
import Apps
import Postgres
import TestKit
import Testing

/// Pushes of messages to recipients without the room open (Anlaka contract 4.10 and 6.2, 7, and 8, item 12).
@Suite(.timeLimit(.minutes(8))) struct AnlakaChatPushJourneyTests {
    private typealias Shape = JSONShape.Anlaka

    private static func room(of client: AnlakaClient, with other: AnlakaClient) async throws -> String {
        try await client.send(\.openChatRoom, body: ["opponent_id": "\(other.id)"]).shaped(Shape.room).text("room_id")
    }

    /// Sends a message.
    ///
    /// - Returns: the collapse identifier of the message's push.
    private static func write(_ text: String, in room: String, by client: AnlakaClient) async throws -> String {
        let said = try await client.write(text, in: room).shaped(Shape.chat)
        return "\(room)-\(try said.number("sequence"))"
    }

    /// Marks the room as read, and waits until notifications has the event.
    private static func read(_ room: String, by client: AnlakaClient, _ platform: Platform) async throws {
        try await client.send(\.markChatRoomRead, room).empty()
        try await settled(platform)
    }

    /// Sends a message that must not be pushed, and waits until notifications has counted it.
    private static func write(
        _ text: String,
        to recipient: AnlakaClient,
        in room: String,
        by client: AnlakaClient,
        _ platform: Platform
    ) async throws {
        _ = try await write(text, in: room, by: client)
        try await settled(platform)
        let account = try await platform.account(of: recipient)
        let unread = try await platform.notificationsDatabase.client.optional(
            "SELECT unread FROM conversations WHERE account_id = \(account) AND room = \(room)"
        ) { try $0.decode(Int.self) }
        #expect(unread == 1)
    }

    /// Waits until chat has delivered all events to notifications.
    private static func settled(_ platform: Platform) async throws {
        try await eventually {
            try await platform.chatDatabase.client.one(
                "SELECT count(*) FROM outbox_deliveries WHERE subscriber = 'notifications'"
            ) { try $0.decode(Int.self) } == 0
        }
    }

    /// Waits until no socket has a room open.
    private static func untilNoRoomIsOpen(_ platform: Platform) async throws {
        try await eventually {
            try await platform.chatDatabase.client.one("SELECT count(*) FROM presences") { try $0.decode(Int.self) }
                == 0
        }
    }

    @Test func message_toAbsentRecipient_pushesToAllDevices() async throws {
        try await Platform.test { (platform) async throws in
            let a = try await AnlakaClient(platform, "a@b.kr", nick: "하루", device: "a1")
            let b = try await AnlakaClient(platform, "c@d.kr", nick: "나무", device: "b1")
            let tablet = try await AnlakaClient(platform, signingIn: "c@d.kr")
            try await tablet.registerDevice("b2").shaped(.object([:]))
            try await platform.device("a1", belongsTo: platform.account(of: a))
            try await platform.device("b1", belongsTo: platform.account(of: b))

            let room = try await Self.room(of: a, with: b)
            let first = try await Self.write("안녕", in: room, by: a)
            let greeting = ReceivedPush.chat("안녕", from: "하루", in: room, collapse: first, badge: 1)
            for token in ["b1", "b2"] { #expect(try await platform.pushes(1, to: token) == [greeting]) }

            // A recipient with the room open gets the message by socket, and its messages count as read.
            let socket = try await b.chat(room)
            _ = try await socket.next { $0.hasPrefix("40/") }
            _ = try await Self.write("보이죠?", in: room, by: a)
            _ = try await socket.next { $0.contains("보이죠?") }
            await socket.close()
            try await Self.untilNoRoomIsOpen(platform)
            let last = try await Self.write("또 봐요", in: room, by: a)
            let parting = ReceivedPush.chat("또 봐요", from: "하루", in: room, collapse: last, badge: 1)
            for token in ["b1", "b2"] { #expect(try await platform.pushes(2, to: token) == [greeting, parting]) }

            // The sender gets no push of their own message.
            let back = try await Self.write("그래요", in: room, by: b)
            let reply = ReceivedPush.chat("그래요", from: "나무", in: room, collapse: back, badge: 1)
            #expect(try await platform.pushes(1, to: "a1") == [reply])
            for token in ["b1", "b2"] { #expect(try await platform.pushes(to: token).count == 2) }
        }
    }

    @Test func messageBurst_isPushedOnceAndReadMessagesAreNot() async throws {
        try await Platform.test { (platform) async throws in
            let a = try await AnlakaClient(platform, "a@b.kr", nick: "하루")
            let b = try await AnlakaClient(platform, "c@d.kr", nick: "나무", device: "b1")
            try await platform.device("b1", belongsTo: platform.account(of: b))
            let room = try await Self.room(of: a, with: b)

            let first = try await Self.write("하나", in: room, by: a)
            var expected = [ReceivedPush.chat("하나", from: "하루", in: room, collapse: first, badge: 1)]
            #expect(try await platform.pushes(1, to: "b1") == expected)
            for text in ["둘", "셋"] { _ = try await Self.write(text, in: room, by: a) }
            expected.append(.chat("새로운 메시지가 3개 있습니다.", from: "하루", in: room, collapse: first, badge: 3))
            #expect(try await platform.pushes(2, to: "b1") == expected)

            try await Self.read(room, by: b, platform)
            let next = try await Self.write("넷", in: room, by: a)
            expected.append(.chat("넷", from: "하루", in: room, collapse: next, badge: 1))
            #expect(try await platform.pushes(3, to: "b1") == expected)
            try await eventually { try await platform.waitingPushes() == 0 }
            _ = try await Self.write("다섯", in: room, by: a)
            try await eventually { try await platform.waitingPushes() == 1 }
            // Opening the room marks it as read, too.
            let socket = try await b.chat(room)
            _ = try await socket.next { $0.hasPrefix("40/") }
            try await eventually { try await platform.waitingPushes() == 0 }
            await socket.close()
            try await Self.untilNoRoomIsOpen(platform)
            let last = try await Self.write("여섯", in: room, by: a)
            expected.append(.chat("여섯", from: "하루", in: room, collapse: last, badge: 1))
            #expect(try await platform.pushes(4, to: "b1") == expected)
        }
    }

    @Test func deviceToken_belongsToLastRegisteredAccount() async throws {
        try await Platform.test { (platform) async throws in
            let a = try await AnlakaClient(platform, "a@b.kr", nick: "하루")
            let b = try await AnlakaClient(platform, "c@d.kr", nick: "나무", device: "q")
            try await platform.device("q", belongsTo: platform.account(of: b))
            let room = try await Self.room(of: a, with: b)

            // After the sign-out the device gets no push of the account, also when another account registers it later.
            try await b.send(\.signOut).empty()
            try await platform.device("q", belongsTo: nil)
            try await Self.write("들려요?", to: b, in: room, by: a, platform)
            let c = try await AnlakaClient(platform, "e@f.kr", nick: "바다", device: "q")
            try await platform.device("q", belongsTo: platform.account(of: c))
            let other = try await Self.room(of: a, with: c)
            let first = try await Self.write("바다야", in: other, by: a)
            var expected = [ReceivedPush.chat("바다야", from: "하루", in: other, collapse: first, badge: 1)]
            #expect(try await platform.pushes(1, to: "q") == expected)

            // The device belongs to the account that registered it last, though the other one has not signed out.
            let again = try await AnlakaClient(platform, signingIn: "c@d.kr", device: "q")
            try await platform.device("q", belongsTo: platform.account(of: b))
            try await Self.read(other, by: c, platform)
            _ = try await Self.write("바다에게", in: other, by: a)
            try await Self.read(room, by: again, platform)
            let second = try await Self.write("나무야", in: room, by: a)
            expected.append(.chat("나무야", from: "하루", in: room, collapse: second, badge: 1))
            #expect(try await platform.pushes(2, to: "q") == expected)

            // FCM no longer knows the token: the device gets no push until it registers again.
            try await platform.answer("UNREGISTERED", of: "q")
            try await Self.read(room, by: again, platform)
            _ = try await Self.write("거기 있어요?", in: room, by: a)
            try await platform.device("q", belongsTo: nil)
            try await platform.answer(nil, of: "q")
            try await Self.read(room, by: again, platform)
            try await Self.write("없나 봐요", to: b, in: room, by: a, platform)
            try await again.registerDevice("r").shaped(.object([:]))
            try await Self.read(room, by: again, platform)
            let third = try await Self.write("왔군요", in: room, by: a)
            let seen = ReceivedPush.chat("왔군요", from: "하루", in: room, collapse: third, badge: 1)
            #expect(try await platform.pushes(1, to: "r") == [seen])
            #expect(try await platform.pushes(to: "q") == expected)

            // An empty token unregisters the device.
            try await again.registerDevice("").shaped(.object([:]))
            try await Self.read(room, by: again, platform)
            try await Self.write("아무도?", to: b, in: room, by: a, platform)
            try await Self.read(room, by: again, platform)
            try await again.registerDevice("r").shaped(.object([:]))
            let fourth = try await Self.write("다시", in: room, by: a)
            let back = ReceivedPush.chat("다시", from: "하루", in: room, collapse: fourth, badge: 1)
            #expect(try await platform.pushes(2, to: "r") == [seen, back])
        }
    }
}
