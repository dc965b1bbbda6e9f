import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Chat

/// Another transaction holds the row of a room; what happens in other rooms does not wait for it.
@Suite(.database(Migrations.all), .timeLimit(.minutes(2))) struct LockedRoomTests {
    private var world: ChatWorld { .current }

    /// Messages go in batches of several rooms, of which none waits for a locked one.
    @Test(.chat(.anlaka)) func messages_ofOtherRooms_areWritten() async throws {
        let (locked, other) = (try await world.room(of: 1, 2), try await world.room(of: 1, 9))
        let waiting = try await world.database.transaction { transaction in
            try await transaction.execute("SELECT FROM rooms WHERE public_id = \(locked) FOR UPDATE")
            let waiting = (1...20).map { number in
                Task { try await world.say("\(number)", [1, 2][number % 2], in: locked) }
            }
            for number in 1...8 {
                let message = try await world.say("\(number)", [1, 9][number % 2], in: other)
                #expect(message.content == "\(number)")
            }
            #expect(try await world.history(other, 1).count == 8)
            #expect(try await world.history(locked, 1) == [])
            return waiting
        }
        var written: Set<String> = []
        for message in waiting { written.insert(try await message.value.content) }
        #expect(written == Set((1...20).map(String.init)))
        #expect(try await world.history(locked, 1).count == 20)
    }

    /// Each sender's messages are in the order in which they were sent, although the first were put back.
    @Test func messages_keepTheirOrder() async throws {
        try await ChatWorld.test(.anlaka) { world in
            let room = try await world.room(of: 1, 2)
            let ids = try await world.database.all("SELECT id FROM rooms") { try $0.decode(RoomID.self) }
            let writer = ChatDomain.withoutService.messages.writer
            let waiting = try await world.database.transaction { transaction in
                try await transaction.execute("SELECT FROM rooms FOR UPDATE")
                var waiting: [Task<Message, any Error>] = []
                for number in 1...30 {
                    waiting.append(
                        Task { try await writer.write(MessageDraft(room: ids[0], sender: 1, content: "\(number)")) }
                    )
                    while await writer.waitingCount < number { await Task.yield() }
                }
                return waiting
            }
            for message in waiting { _ = try await message.value }
            let history = try await world.history(room, 2)
            #expect(history.map(\.content) == (1...30).map(String.init))
        }
    }

    /// As when the request's deadline passes: the sender will send again.
    @Test func cancelledMessage_isNotWritten() async throws {
        try await ChatWorld.test(.anlaka) { world in
            let room = try await world.room(of: 1, 2)
            let ids = try await world.database.all("SELECT id FROM rooms") { try $0.decode(RoomID.self) }
            let writer = ChatDomain.withoutService.messages.writer
            try await world.database.transaction { transaction in
                try await transaction.execute("SELECT FROM rooms FOR UPDATE")
                let waiting = (1...9).map { number in
                    Task { try await writer.write(MessageDraft(room: ids[0], sender: 1, content: "\(number)")) }
                }
                while await writer.waitingCount < waiting.count { await Task.yield() }
                for message in waiting {
                    message.cancel()
                    await #expect(throws: CancellationError.self) { try await message.value }
                }
            }
            #expect(try await world.say("나", 1, in: room).content == "나")
            #expect(try await world.history(room, 2).map(\.content) == ["나"])
        }
    }

    @Test func message_afterLockTimeout_isRefused() async throws {
        try await ChatWorld.test(.anlaka) {
            $0.database.lockTimeout = .milliseconds(20)
        } _: { world in
            let room = try await world.room(of: 1, 2)
            let path = "/v1/chats/\(room)"
            try await world.database.transaction { transaction in
                try await transaction.execute("SELECT FROM rooms FOR UPDATE")
                for _ in 0..<3 {
                    let answer = try await world.client(1).send(.post, path, json: #"{"content":"가"}"#)
                    #expect(answer.status == .serviceUnavailable)
                }
            }
            #expect(try await world.say("나", 1, in: room).content == "나")
            #expect(try await world.count("messages") == 1)
        }
    }

    /// A message to a room that is being deleted is not repeated without end.
    @Test(.chat(.anlaka)) func message_ofDeletedRoom_isRefused() async throws {
        let room = try await world.room(of: 1, 2)
        let waiting = try await world.database.transaction { transaction in
            try await transaction.execute("DELETE FROM rooms")
            return Task {
                try await world.client(1).send(.post, "/v1/chats/\(room)", json: #"{"content":"가"}"#).status
            }
        }
        #expect(try await waiting.value == .notFound)
    }

    /// Changes of one room leave connections for those of others.
    @Test(.chat(.anlaka)) func changes_ofOtherRooms_areMade() async throws {
        let (locked, other) = (try await world.room(of: 1, 2), try await world.room(of: 1, 9))
        let (first, second) = (try await world.say("가", 1, in: locked), try await world.say("가", 1, in: other))
        func edit(_ message: ReceivedChat, in room: String, to content: String) async throws -> HTTPResponse.Status {
            let path = "/v1/chats/\(room)/messages/\(message.chatID)"
            return try await world.client(1).send(.patch, path, json: #"{"content":"\#(content)"}"#).status
        }
        let waiting = try await world.database.transaction { transaction in
            try await transaction.execute("SELECT FROM rooms WHERE public_id = \(locked) FOR UPDATE")
            let waiting = (1...12).map { number in Task { try await edit(first, in: locked, to: "\(number)") } }
            try await transaction.waitUntilBlocking(world.database.configuration.leasedConnections / 2)
            #expect(try await edit(second, in: other, to: "나") == .ok)
            #expect(try await world.client(9).send(.put, "/v1/chats/\(other)/read").status == .ok)
            return waiting
        }
        for change in waiting { #expect(try await change.value == .ok) }
    }
}
