import Contracts
import Logging
import NATS
import NIOCore
import Postgres
import PostgresServer
import ServiceDatabase
import Sockets
import TestKit
import Testing
import Values

@testable import Chat

/// Two copies of the service whose announcements NATS carries.
@Suite(
    .database(Migrations.all),
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed: apt-get install nats-server"),
    .timeLimit(.minutes(3))
)
struct NATSCopiesTests {
    /// Rare reloads, so that only announcements can bring anything while the server is there.
    private static func announcer(_ url: String, reloads: Bool) throws -> @Sendable (Logger) -> any Announcer {
        var limits = NATSAnnouncer.Limits()
        limits.client.silence = reloads ? .milliseconds(400) : .seconds(30)
        limits.client.backoff = .init(from: .milliseconds(5), to: .milliseconds(20))
        limits.pauseWhileLost = reloads ? .milliseconds(100) : .seconds(3600)
        return TestDatabase.current.configuration.announcer(at: try NATSConfiguration(url: url), limits: limits)
    }

    /// Runs `body` with two copies.
    private static func withCopies(
        of app: App = .anlaka,
        _ server: NATSServer,
        reloads: Bool = true,
        _ body: @escaping @Sendable (ChatWorld, ChatWorld) async throws -> Void
    ) async throws {
        let announcer = try announcer(server.url, reloads: reloads)
        try await ChatWorld.test(app, isLive: true, { $0.database.announcer = announcer }) { one in
            try await ChatWorld.test(app, people: [:], isLive: true, { $0.database.announcer = announcer }) { two in
                try await body(one, two)
            }
        }
    }

    /// The subjects about rooms that are subscribed to.
    private static func rooms(_ server: NATSServer) async throws -> [String] {
        try await server.subjects().filter { $0.contains(".chat_live.room.") }
    }

    @Test func copies_subscribeToRoomsWithListenersOnly() async throws {
        try await NATSServer.with { server in
            try await Self.withCopies(server, reloads: false) { one, two in
                let rooms = [try await one.room(of: 1, 2), try await one.room(of: 1, 9)]
                let phone = try await StreamSubscriber.connect(one, 1)
                try await phone.write("first", as: "0", in: rooms[0])
                #expect(try await Self.rooms(server) == [])
                let other = try await StreamSubscriber.connect(two, 2)
                var ears = try await other.listen(rooms[0], id: "a")
                let watched = try await Self.rooms(server)
                #expect(watched.count == 1)
                for number in 1...50 { try await phone.write("\(number)", as: "\(number)", in: rooms[0]) }
                #expect(try await ears.events(50).map(\.message.content) == (1...50).map(String.init))
                // A second listener of the same copy shares the subscription; the last one ends it.
                let third = try await StreamSubscriber.connect(two, 1)
                _ = try await third.listen(rooms[0], id: "b")
                #expect(try await Self.rooms(server) == watched)
                other.client.close()
                #expect(try await Self.rooms(server) == watched)
                third.client.close()
                try await eventually { try await Self.rooms(server) == [] }
            }
        }
    }

    /// What is written while a copy had no listener in a room is delivered to the next one.
    @Test func roomWatchedAgain_hasNoGap() async throws {
        try await NATSServer.with { server in
            try await Self.withCopies(server, reloads: false) { one, two in
                let room = try await one.room(of: 1, 2)
                let phone = try await StreamSubscriber.connect(one, 1)
                for round in 0..<10 {
                    let other = try await StreamSubscriber.connect(two, 2)
                    var ears = try await other.listen(room, after: 2 * round)
                    try await phone.write("a\(round)", as: "a\(round)", in: room)
                    #expect(try await ears.events(1).map(\.sequence) == [Int64(2 * round + 1)])
                    other.client.close()
                    try await phone.write("b\(round)", as: "b\(round)", in: room)
                }
            }
        }
    }

    @Test(arguments: ["killed", "paused"])
    func messages_whileServerIsAway_comeOnceAndInOrder(fault: String) async throws {
        try await NATSServer.with { server in
            try await Self.withCopies(server) { one, two in
                let room = try await one.room(of: 1, 2)
                let phones = [
                    try await StreamSubscriber.connect(one, 1), try await StreamSubscriber.connect(two, 2),
                ]
                var ears = [try await phones[0].listen(room), try await phones[1].listen(room)]
                let writing = Task {
                    for number in 1...150 {
                        try await phones[number % 2].write("\(number)", as: "\(number)", in: room)
                        switch number {
                        case 50: if fault == "killed" { await server.kill() } else { server.pause() }
                        case 100: if fault == "killed" { try await server.start() } else { server.resume() }
                        default: break
                        }
                    }
                }
                for index in ears.indices {
                    let events = try await ears[index].events(150)
                    #expect(events.map(\.sequence) == Array(1...150))
                    #expect(events.map(\.message.content) == (1...150).map(String.init))
                }
                try await writing.value
            }
        }
    }

    /// The server stays away: the other copy reads the tables.
    @Test func messages_withoutServer_come() async throws {
        try await NATSServer.with { server in
            try await Self.withCopies(server) { one, two in
                let room = try await one.room(of: 1, 2)
                let phone = try await StreamSubscriber.connect(one, 1)
                var ears = try await StreamSubscriber.connect(two, 2).listen(room)
                await server.kill()
                for number in 1...5 {
                    try await phone.write("\(number)", as: "\(number)", in: room)
                    #expect(try await ears.events(1).map(\.sequence) == [Int64(number)])
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func revokedSession_isClosedAtTheOtherCopy(isThere: Bool) async throws {
        try await NATSServer.with { server in
            try await Self.withCopies(server, reloads: !isThere) { one, two in
                let room = try await one.room(of: 1, 2)
                let ended = try await StreamSubscriber.connect(two, 2, session: "ended")
                var ears = try await ended.listen(room)
                let kept = try await StreamSubscriber.connect(two, 2, session: "kept")
                var keptEars = try await kept.listen(room)
                if !isThere { await server.kill() }
                let revoked = AuthEvents.SessionRevoked(account: 2, session: "ended", app: .anlaka)
                #expect(try await one.deliver(revoked, from: .auth) == 204)
                let error = await #expect(throws: STOMPClientError.self) { try await ears.events(1) }
                #expect(error?.message == "Your session has ended.")
                try await StreamSubscriber.connect(one, 1).write("after", as: "1", in: room)
                #expect(try await keptEars.events(1).map(\.message.content) == ["after"])
            }
        }
    }

    @Test func service_withoutServer_becomesReady() async throws {
        let announcer = try Self.announcer("nats://127.0.0.1:\(try FreePort.find())", reloads: true)
        try await ChatWorld.test(.anlaka, isLive: true, { $0.database.announcer = announcer }) { world in
            let room = try await world.room(of: 1, 2)
            let phone = try await StreamSubscriber.connect(world, 1)
            var ears = try await phone.listen(room)
            try await phone.write("alone", as: "1", in: room)
            #expect(try await ears.events(1).map(\.message.content) == ["alone"])
        }
    }
}
