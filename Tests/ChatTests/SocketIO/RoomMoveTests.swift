import Authentication
import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import TestKit
import Testing

@testable import Chat

/// Anlaka's sockets that move between copies of the service.
@Suite(.database(Migrations.all), .timeLimit(.minutes(6)), .liveChat(.anlaka)) struct RoomMoveTests {
    private typealias Phone = MovingPhone<ChatWorld>

    private var world: ChatWorld { .current }

    /// A phone of account 2 in a room.
    private func listener(
        in room: String,
        token: String? = nil,
        now: @escaping @Sendable () -> Date = { .now }
    ) async throws -> Phone {
        var phone = try await Phone(
            "/socket.io\(SocketIOWire.query)",
            as: InternalIdentity(caller: .gateway, app: .anlaka, account: 2, session: "session"),
            headers: token.map { [("Authorization", $0)] } ?? []
        ) {
            try await RunningCopy.start { body in
                try await ChatWorld.test(.anlaka, people: [:], isLive: true, { $0.now = now }, body)
            }
        }
        #expect(try await phone.next()?.hasPrefix("0{") == true)
        try await phone.send("40/chats-\(room),")
        #expect(try await phone.next()?.hasPrefix("40/chats-\(room),{") == true)
        return phone
    }

    /// The numbers of the messages whose recipient was not present when they were written.
    private func unseen() async throws -> [Int64] {
        try await world.database.all(
            "SELECT body FROM outbox WHERE name = \(ChatEvents.MessageSent.name) ORDER BY id"
        ) { try $0.decode(PostgresJSON<ChatEvents.MessageSent>.self).value }
        .filter { !$0.isSeen || $0.isRead != true }.map(\.sequence)
    }

    @Test func movingListener_receivesEachMessageOnce_andStaysPresent() async throws {
        let (world, room) = (world, try await world.room(of: 1, 2))
        var peer = try await StreamSubscriber.connect(world, 1).listen(room)
        #expect(try await peer.next("presence")?.contains("false") == true)
        var phone = try await listener(in: room)
        #expect(try await peer.next("presence")?.contains("true") == true)
        for round in 0..<5 {
            async let written: Void = {
                for number in 1...40 { try await world.say("\(round * 40 + number)", 1, in: room) }
            }()
            try await phone.move()
            try await written
        }
        var received: [String] = []
        while received.count < 200 { received.append(try await phone.chat(in: room)) }
        #expect(received == (1...200).map(String.init))
        #expect(try await phone.isQuiet())
        let unseen = try await unseen()
        #expect(unseen == [])
        #expect(try await world.rooms(of: 2).map(\.unreadCount) == [0])
        try await phone.end()
        // No copy has announced that the phone has left before it has.
        var presences: [String] = []
        while presences.last?.contains("false") != true { presences.append(try await peer.next("presence") ?? "false") }
        #expect(presences.count { $0.contains("false") } == 1)
        #expect(try await world.presences(of: 2) == 0)
    }

    @Test func messagesWrittenDuringTheMove_arriveInOrder() async throws {
        let (world, room) = (world, try await world.room(of: 1, 2))
        var phone = try await listener(in: room)
        try await world.say("1", 1, in: room)
        try await phone.move {
            for number in 2...4 { try await world.say("\(number)", 1, in: room) }
            let deleted = try await world.say("deleted", 1, in: room)
            let path = "/v1/chats/\(room)/messages/\(deleted.chatID)"
            #expect(try await world.client(1).send(.delete, path).status == .ok)
        }
        try await world.say("5", 1, in: room)
        for number in 1...5 { #expect(try await phone.chat(in: room) == "\(number)") }
        #expect(try await phone.isQuiet())
        try await phone.end()
    }

    @Test func roomDeletedDuringTheMove_isDisconnected() async throws {
        let (world, room) = (world, try await world.room(of: 1, 2))
        var phone = try await listener(in: room)
        try await phone.move {
            try await world.database.execute("DELETE FROM rooms WHERE public_id = \(room)")
        }
        #expect(try await phone.next() == "41/chats-\(room),")
        #expect(try await phone.isQuiet())
        try await phone.end()
    }

    /// The new copy tries again.
    @Test func databaseAwayDuringTheMove_losesNoMessage() async throws {
        let (world, room) = (world, try await world.room(of: 1, 2))
        var phone = try await listener(in: room)
        try await phone.move {
            try await world.say("1", 1, in: room)
            try await world.database.execute("ALTER TABLE members RENAME TO members_away")
        }
        for _ in 0..<20 {
            #expect(try await phone.isQuiet())
            try await Task.sleep(for: .milliseconds(5))
        }
        try await world.database.execute("ALTER TABLE members_away RENAME TO members")
        #expect(try await phone.chat(in: room) == "1")
        try await phone.end()
    }

    @Test func expiryOfToken_isKeptInTheMove() async throws {
        let room = try await world.room(of: 1, 2)
        let clock = ManualClock(.now)
        let expiry = Int(clock.now.timeIntervalSince1970) + 600
        let claims = Base64URL.encode(Array(#"{"exp":\#(expiry)}"#.utf8))
        var phone = try await listener(in: room, token: "e30.\(claims).AAAA") { clock.now }
        try await phone.move()
        #expect(try await phone.isQuiet())
        clock.advance(by: 661)
        try await phone.move()
        #expect(try await phone.next() == nil)
        try await phone.end()
    }
}

extension MovingPhone<ChatWorld> {
    /// The content of the next message of a room.
    fileprivate mutating func chat(in room: String) async throws -> String {
        let next = try await next()
        let text = try #require(next)
        let head = "42/chats-\(room),[\"chat\","
        #expect(text.hasPrefix(head) && text.hasSuffix("]"), "\(text)")
        let body = Data(text.dropFirst(head.count).dropLast().utf8)
        return try JSONDecoder().decode(ReceivedChat.self, from: body).content
    }

    /// Whether no packet is pending.
    fileprivate mutating func isQuiet() async throws -> Bool {
        try await send("2quiet")
        return try await next() == "3quiet"
    }
}
