import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import Sockets
import Synchronization
import TestKit
import Testing

@testable import Chat

/// A message on the stream is confirmed after its commit, and stored once.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .liveChat(.anlaka)) struct StreamSendTests {
    private var world: ChatWorld { .current }

    @Test func receipt_isSentAfterCommit() async throws {
        let room = try await world.room(of: 1, 2)
        let phone = try await StreamSubscriber.connect(world, 1)
        let isFree = Mutex(false)
        let locked = Rendezvous(2)
        async let lock: Void = world.database.transaction { transaction in
            try await transaction.execute("SELECT FROM rooms FOR UPDATE")
            await locked.arrive()
            try await Task.sleep(for: .milliseconds(200))
            isFree.withLock { $0 = true }
        }
        await locked.arrive()
        try await phone.write("안녕", as: "a", in: room)
        #expect(isFree.withLock { $0 })
        #expect(try await world.count("messages") == 1)
        try await lock
    }

    @Test func repeatedMessage_afterReconnect_isStoredOnce() async throws {
        let room = try await world.room(of: 1, 2)
        for _ in 0..<3 {
            let phone = try await StreamSubscriber.connect(world, 1)
            for number in 1...5 { try await phone.write("\(number)", as: "m\(number)", in: room) }
            try await phone.client.disconnect()
        }
        var subscriber = try await StreamSubscriber.connect(world, 2).listen(room, after: 0)
        try await StreamSubscriber.connect(world, 1).write("끝", as: "last", in: room)
        let events = try await subscriber.events(6)
        #expect(events.map(\.message.content) == ["1", "2", "3", "4", "5", "끝"])
        #expect(events.map(\.message.clientID) == ["m1", "m2", "m3", "m4", "m5", "last"])
    }

    @Test func jsonBody_isParsedByContentType() async throws {
        let room = try await world.room(of: 1, 2)
        let phone = try await StreamSubscriber.connect(world, 1)
        var subscriber = try await phone.listen(room)
        let headers = [("client-id", "a"), ("content-type", "application/json")]
        try await phone.client.send("/app/rooms.\(room)", #"{"content":"{글}","files":[]}"#, headers: headers)
        try await phone.write(#"{"content":"글"}"#, as: "b", in: room)
        #expect(try await subscriber.events(2).map(\.message.content) == ["{글}", #"{"content":"글"}"#])
    }

    @Test func invalidSend_isRefusedWithMessage() async throws {
        let room = try await world.room(of: 1, 2)
        let (path, json) = ("/app/rooms.\(room)", ("content-type", "application/json"))
        let id = ("client-id", "a")
        let sent: [(String, String, [(String, String)], String)] = [
            (path, "글", [], "SEND needs the header client-id."),
            (path, "글", [("client-id", "")], "The message's own id must have 1 to 100 characters."),
            (path, "", [id], "content or files must not be empty."),
            (path, String(repeating: "가", count: 5001), [id], "content must have at most 5000 characters."),
            (path, "a\0b", [id], "content has a character that cannot be stored."),
            (path, "{", [id, json], "The body must be a JSON object with content and files."),
            (path, #"{"files":["/etc/passwd"]}"#, [id, json], Attachments.foreign),
            ("\(path)/read", "-1", [], "The body must be a number that is not negative."),
            ("\(path)/read", "many", [], "The body must be a number that is not negative."),
            ("\(path)/dance", "1", [], "Nothing can be sent there."),
            ("/topic/rooms.\(room)", "글", [id], "Nothing can be sent there."),
            ("/app/rooms.0123", "글", [id], "There is no such room."),
            ("/app/rooms.0123/typing", "", [], "There is no such room."),
        ]
        for (destination, body, headers, message) in sent {
            let phone = try await StreamSubscriber.connect(world, 1)
            let error = await #expect(throws: STOMPClientError.self) {
                try await phone.client.send(destination, body, headers: headers)
            }
            #expect(error?.message == message.replacing(":", with: ";"))
        }
        #expect(try await world.count("messages") == 0)
    }

    @Test func invalidSubscription_isRefusedWithMessage() async throws {
        let room = try await world.room(of: 1, 2)
        try await StreamSubscriber.connect(world, 1).write("글", as: "a", in: room)
        let asked: [(AccountID, String, String?, String)] = [
            (9, "/topic/rooms.\(room)", nil, "This is others'."),
            (1, "/topic/rooms.000000000000000000000000", nil, "There is no such room."),
            (1, "/topic/rooms.x", nil, "There is no such room."),
            (1, "/topic/rooms.", nil, "There is no such room."),
            (1, "/topic/room", nil, "There is no such destination."),
            (1, "/app/rooms.\(room)", nil, "There is no such destination."),
            (1, "/topic/rooms.\(room)", "-1", "The header after must be a number that is not negative."),
            (1, "/topic/rooms.\(room)", "1.5", "The header after must be a number that is not negative."),
            (1, "/topic/rooms.\(room)", "2", "The header after must be at most 1, which is the room's last number."),
        ]
        for (account, destination, after, message) in asked {
            let phone = try await StreamSubscriber.connect(world, account)
            let error = await #expect(throws: STOMPClientError.self) {
                try await phone.client.subscribe(destination, headers: after.map { [("after", $0)] } ?? [])
            }
            #expect(error?.message == message)
        }
        let stranger = await #expect(throws: STOMPClientError.self) { try await StreamSubscriber.connect(world, nil) }
        #expect(stranger?.message == "Sign in first.")
        while try await world.count("presences") > 0 { try await Task.sleep(for: .milliseconds(10)) }
    }
}
