import Authentication
import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Chat

/// Sockets of the stream that move between copies of the service. The fixture is a copy that stays.
@Suite(.database(Migrations.all), .timeLimit(.minutes(6))) struct StreamMoveTests {
    private var world: ChatWorld { .current }

    private func copy() async throws -> RunningCopy<ChatWorld> {
        let app = world.app
        return try await .start { try await ChatWorld.test(app, people: [:], isLive: true, { _ in }, $0) }
    }

    private func phone(_ account: AccountID, at copy: ChatWorld) async throws -> MovingSTOMPClient {
        let identity = InternalIdentity(caller: .gateway, app: copy.app, account: account, session: "session")
        return try await .connect(at: port(copy), of: .chat, StreamSubscriber.path(of: copy.app), as: identity)
    }

    private func port(_ copy: ChatWorld) throws -> Int { try #require(copy.client.port) }

    private static func number(of frame: String) -> Int64? {
        guard frame.contains("\nkind:event\n"), let mark = frame.firstRange(of: "\nmessage-id:") else { return nil }
        return Int64(frame[mark.upperBound...].prefix { $0 != "\n" })
    }

    private static func numbers(_ phone: inout MovingSTOMPClient, _ count: Int) async -> [Int64] {
        var numbers: [Int64] = []
        while numbers.count < count, let frame = await phone.next("MESSAGE\n") {
            if let number = number(of: frame) { numbers.append(number) }
        }
        return numbers
    }

    @Test(.liveChat(.anlaka)) func eventsDuringMoves_comeOnceAndInOrder() async throws {
        let world = world
        let room = try await world.room(of: 1, 2)
        let peer = try await StreamSubscriber.connect(world, 1)
        var ears = try await peer.listen(room)
        #expect(try await ears.next("presence")?.contains("false") == true)
        var copy = try await copy()
        var phone = try await phone(2, at: copy.value)
        try await phone.subscribe("/topic/rooms.\(room)")
        #expect(try await ears.next("presence")?.contains("true") == true)
        let writer = Task {
            for number in 1...200 { try await peer.write("\(number)", as: "\(number)", in: room) }
        }
        for _ in 0..<5 {
            let next = try await self.copy()
            try await phone.move(from: copy, to: port(next.value))
            copy = next
        }
        try await writer.value
        #expect(await Self.numbers(&phone, 200) == Array(1...200))
        // The room was shown all the time, and is left once.
        #expect(try await world.presences(of: 2) == 1)
        try await phone.send("", to: "/app/rooms.\(room)/typing")
        #expect(try await ears.kinds(before: "typing").filter { $0 != "event" } == [])
        try await phone.send("글", to: "/app/rooms.\(room)", headers: "client-id:a\n")
        #expect(await Self.numbers(&phone, 1) == [201])
        await phone.socket.connection.close()
        #expect(try await ears.next("presence")?.contains("false") == true)
        try await copy.end()
    }

    @Test(.liveChat(.anlaka)) func socketBeforeCONNECT_keepsItsIdentity() async throws {
        let room = try await world.room(of: 1, 2)
        let (old, new) = (try await copy(), try await copy())
        let identity = InternalIdentity(caller: .gateway, app: .anlaka, account: 2, session: "session")
        let path = StreamSubscriber.path(of: .anlaka)
        var phone = MovingSTOMPClient(
            socket: try await .open(at: port(old.value), of: .chat, path, as: identity)
        )
        try await phone.move(from: old, to: port(new.value))
        try await phone.send("CONNECT\naccept-version:1.2\n\n\0")
        try await phone.subscribe("/topic/rooms.\(room)", headers: "after:0\n")
        try await world.say("글", 1, in: room)
        #expect(await Self.numbers(&phone, 1) == [1])
        try await new.end()
    }

    @Test(.liveChat(.anlaka), arguments: [false, true])
    func clientThatEndedDuringMove_isRefused(isWithdrawn: Bool) async throws {
        let room = try await world.room(of: 1, 2)
        let (old, new) = (try await copy(), try await copy())
        var phone = try await phone(2, at: old.value)
        try await phone.subscribe("/topic/rooms.\(room)")
        old.beginEnd()
        let state = try await phone.leave()
        try await old.end()
        let status =
            isWithdrawn
            ? try await world.deliver(AuthEvents.AccountWithdrawn(account: 2, app: .anlaka), from: .auth)
            : try await world.deliver(
                AuthEvents.SessionRevoked(account: 2, session: "session", app: .anlaka),
                from: .auth
            )
        #expect(status == 204)
        let arrived = [phone]
        let end = await #expect(throws: MovableSocket.Ended.self) {
            var phone = arrived[0]
            try await phone.arrive(at: self.port(new.value), with: state)
        }
        #expect(end?.frames.first?.opcode == 0x8 && end?.frames.first?.payload.prefix(2) == [0x03, 0xf0])
        try await new.end()
    }

    @Test(.liveChat(.withsuhyeon)) func roomDeletedDuringMove_isGone() async throws {
        let (room, _) = try await world.companionRoom(of: 1, about: 7, by: 2)
        let (old, new) = (try await copy(), try await copy())
        var phone = try await phone(1, at: old.value)
        try await phone.subscribe("/topic/rooms.\(room)")
        old.beginEnd()
        let state = try await phone.leave()
        #expect(try await world.deliver(CommunityEvents.CompanionPostDeleted(post: 7), from: .community) == 204)
        try await phone.arrive(at: port(new.value), with: state)
        var frame = await phone.next("MESSAGE\n")
        while let other = frame, !other.contains("\nkind:gone\n") { frame = await phone.next("MESSAGE\n") }
        #expect(frame != nil)
        try await old.end()
        try await new.end()
    }

    @Test func typingPause_goesOn() {
        let now = ContinuousClock.now
        let client = StreamClient(app: .anlaka, account: 1, session: "session")
        #expect(client.allowsTyping(in: "a", at: now))
        let record = client.record(at: now + .milliseconds(400))
        let moved = StreamClient(record, at: now + .milliseconds(500))
        #expect(moved.app == .anlaka && moved.account == 1 && moved.session == "session")
        #expect(!moved.allowsTyping(in: "a", at: now + .milliseconds(1099)))
        #expect(moved.allowsTyping(in: "b", at: now + .milliseconds(1099)))
        #expect(moved.allowsTyping(in: "a", at: now + .milliseconds(1100)))
    }
}
