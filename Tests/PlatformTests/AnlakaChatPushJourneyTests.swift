import Contracts
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Gateway
@testable import Stack
@testable import StackKit

/// Pushes of messages to recipients without the room open (Anlaka contract 4.10 and 6.2, 7, and 8, item 12).
@Suite(.timeLimit(.minutes(8))) struct AnlakaChatPushJourneyTests {
    private typealias Shape = JSONShape.Anlaka

    private static func room(of phone: KeyedPhone, with other: KeyedPhone) async throws -> String {
        let body = #"{"opponent_id":"\#(other.id)"}"#
        return try #require(try await phone.ask(.POST, "/v1/chats", body, 200, Shape.room)["room_id"]?.text)
    }

    /// Sends a message.
    ///
    /// - Returns: the collapse identifier of the message's push.
    private static func write(_ text: String, in room: String, by phone: KeyedPhone) async throws -> String {
        let body = #"{"content":"\#(text)","files":[]}"#
        let said = try await phone.ask(.POST, "/v1/chats/\(room)", body, 200, Shape.chat)
        return "\(room)-\(try #require(said["sequence"]).json)"
    }

    /// Marks the room as read, and waits until notifications has the event.
    private static func read(_ room: String, by phone: KeyedPhone) async throws {
        try await phone.ask(.PUT, "/v1/chats/\(room)/read", nil, 200)
        try await told(phone.platform)
    }

    /// Sends a message that must not be pushed, and waits until notifications has counted it.
    private static func write(_ text: String, to recipient: KeyedPhone, in room: String, by phone: KeyedPhone)
        async throws
    {
        _ = try await write(text, in: room, by: phone)
        try await told(phone.platform)
        let account = try await recipient.account
        let unread = try await phone.platform.notificationsDatabase.client.optional(
            "SELECT unread FROM conversations WHERE account_id = \(account) AND room = \(room)"
        ) { try $0.decode(Int.self) }
        #expect(unread == 1)
    }

    /// Waits until chat has delivered all events to notifications.
    private static func told(_ platform: Platform) async throws {
        try await platform.eventually {
            try await platform.chatDatabase.client.one(
                "SELECT count(*) FROM outbox_deliveries WHERE subscriber = 'notifications'"
            ) { try $0.decode(Int.self) } == 0
        }
    }

    /// Waits until no socket has a room open.
    private static func nobodyLooks(_ platform: Platform) async throws {
        try await platform.eventually {
            try await platform.chatDatabase.client.one("SELECT count(*) FROM presences") { try $0.decode(Int.self) }
                == 0
        }
    }

    @Test func message_toAbsentRecipient_pushesToAllDevices() async throws {
        try await Platform.test { (platform) async throws in
            let a = try await KeyedPhone(platform, .anlaka, "a@b.kr", nick: "하루", device: "a1")
            let b = try await KeyedPhone(platform, .anlaka, "c@d.kr", nick: "나무", device: "b1")
            let tablet = try await KeyedPhone(platform, .anlaka, signingIn: "c@d.kr")
            try await tablet.say(device: "b2")
            try await platform.phone("a1", isOf: a.account)
            try await platform.phone("b1", isOf: b.account)

            let room = try await Self.room(of: a, with: b)
            let first = try await Self.write("안녕", in: room, by: a)
            let greeting = PhonePush.chat("안녕", from: "하루", in: room, collapse: first, badge: 1)
            for token in ["b1", "b2"] { #expect(try await platform.pushes(1, to: token) == [greeting]) }

            // A recipient with the room open gets the message by socket, and its messages count as read.
            let socket = try await b.chat(room)
            _ = try await socket.next { $0.hasPrefix("40/") }
            _ = try await Self.write("보이죠?", in: room, by: a)
            _ = try await socket.next { $0.contains("보이죠?") }
            await socket.leave()
            try await Self.nobodyLooks(platform)
            let last = try await Self.write("또 봐요", in: room, by: a)
            let parting = PhonePush.chat("또 봐요", from: "하루", in: room, collapse: last, badge: 1)
            for token in ["b1", "b2"] { #expect(try await platform.pushes(2, to: token) == [greeting, parting]) }

            // The sender gets no push of their own message.
            let back = try await Self.write("그래요", in: room, by: b)
            let reply = PhonePush.chat("그래요", from: "나무", in: room, collapse: back, badge: 1)
            #expect(try await platform.pushes(1, to: "a1") == [reply])
            for token in ["b1", "b2"] { #expect(try await platform.pushes(to: token).count == 2) }
        }
    }

    @Test func messageBurst_isPushedOnceAndReadMessagesAreNot() async throws {
        try await Platform.test { (platform) async throws in
            let a = try await KeyedPhone(platform, .anlaka, "a@b.kr", nick: "하루")
            let b = try await KeyedPhone(platform, .anlaka, "c@d.kr", nick: "나무", device: "b1")
            try await platform.phone("b1", isOf: b.account)
            let room = try await Self.room(of: a, with: b)

            let first = try await Self.write("하나", in: room, by: a)
            var told = [PhonePush.chat("하나", from: "하루", in: room, collapse: first, badge: 1)]
            #expect(try await platform.pushes(1, to: "b1") == told)
            for text in ["둘", "셋"] { _ = try await Self.write(text, in: room, by: a) }
            told.append(.chat("새로운 메시지가 3개 있습니다.", from: "하루", in: room, collapse: first, badge: 3))
            #expect(try await platform.pushes(2, to: "b1") == told)

            try await Self.read(room, by: b)
            let next = try await Self.write("넷", in: room, by: a)
            told.append(.chat("넷", from: "하루", in: room, collapse: next, badge: 1))
            #expect(try await platform.pushes(3, to: "b1") == told)
            try await platform.eventually { try await platform.waitingPushes() == 0 }
            _ = try await Self.write("다섯", in: room, by: a)
            try await platform.eventually { try await platform.waitingPushes() == 1 }
            // Opening the room marks it as read, too.
            let socket = try await b.chat(room)
            _ = try await socket.next { $0.hasPrefix("40/") }
            try await platform.eventually { try await platform.waitingPushes() == 0 }
            await socket.leave()
            try await Self.nobodyLooks(platform)
            let last = try await Self.write("여섯", in: room, by: a)
            told.append(.chat("여섯", from: "하루", in: room, collapse: last, badge: 1))
            #expect(try await platform.pushes(4, to: "b1") == told)
        }
    }

    @Test func deviceToken_belongsToLastRegisteredAccount() async throws {
        try await Platform.test { (platform) async throws in
            let a = try await KeyedPhone(platform, .anlaka, "a@b.kr", nick: "하루")
            let b = try await KeyedPhone(platform, .anlaka, "c@d.kr", nick: "나무", device: "q")
            try await platform.phone("q", isOf: b.account)
            let room = try await Self.room(of: a, with: b)

            // After the sign-out the device gets no push of the account, also when another account registers it later.
            try await b.ask(.POST, "/v1/users/logout", nil, 200)
            try await platform.phone("q", isOf: nil)
            try await Self.write("들려요?", to: b, in: room, by: a)
            let c = try await KeyedPhone(platform, .anlaka, "e@f.kr", nick: "바다", device: "q")
            try await platform.phone("q", isOf: c.account)
            let other = try await Self.room(of: a, with: c)
            let first = try await Self.write("바다야", in: other, by: a)
            var told = [PhonePush.chat("바다야", from: "하루", in: other, collapse: first, badge: 1)]
            #expect(try await platform.pushes(1, to: "q") == told)

            // The device belongs to the account that registered it last, though the other one has not signed out.
            let again = try await KeyedPhone(platform, .anlaka, signingIn: "c@d.kr", device: "q")
            try await platform.phone("q", isOf: b.account)
            try await Self.read(other, by: c)
            _ = try await Self.write("바다에게", in: other, by: a)
            try await Self.read(room, by: again)
            let second = try await Self.write("나무야", in: room, by: a)
            told.append(.chat("나무야", from: "하루", in: room, collapse: second, badge: 1))
            #expect(try await platform.pushes(2, to: "q") == told)

            // FCM no longer knows the token: the device gets no push until it registers again.
            try await platform.answer("UNREGISTERED", of: "q")
            try await Self.read(room, by: again)
            _ = try await Self.write("거기 있어요?", in: room, by: a)
            try await platform.phone("q", isOf: nil)
            try await platform.answer(nil, of: "q")
            try await Self.read(room, by: again)
            try await Self.write("없나 봐요", to: b, in: room, by: a)
            try await again.say(device: "r")
            try await Self.read(room, by: again)
            let third = try await Self.write("왔군요", in: room, by: a)
            let seen = PhonePush.chat("왔군요", from: "하루", in: room, collapse: third, badge: 1)
            #expect(try await platform.pushes(1, to: "r") == [seen])
            #expect(try await platform.pushes(to: "q") == told)

            // An empty token unregisters the device.
            try await again.say(device: "")
            try await Self.read(room, by: again)
            try await Self.write("아무도?", to: b, in: room, by: a)
            try await Self.read(room, by: again)
            try await again.say(device: "r")
            let fourth = try await Self.write("다시", in: room, by: a)
            let back = PhonePush.chat("다시", from: "하루", in: room, collapse: fourth, badge: 1)
            #expect(try await platform.pushes(2, to: "r") == [seen, back])
        }
    }
}
