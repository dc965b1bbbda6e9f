import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Chat

/// Each listener receives every message once, whenever it connects and whichever connection breaks.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .liveChat(.anlaka)) struct RoomReplayTests {
    private var world: ChatWorld { .current }

    @Test func lateListener_receivesMessagesOfLastHalfMinute() async throws {
        let room = try await world.room(of: 1, 2)
        for number in 1...4 { try await world.say("\(number)", 1, in: room) }
        try await world.database.execute(
            "UPDATE messages SET created_at = created_at - interval '31 seconds' WHERE sequence <= 2"
        )
        let wire = try await world.listener(2, in: room)
        try await world.say("5", 1, in: room)
        for number in 3...5 { #expect(try await wire.chat(in: room).content == "\(number)") }
        #expect(try await wire.isQuiet())
        // Cleared messages are not replayed.
        #expect(try await world.client(2).send(.delete, "/v1/chats/\(room)").status == .ok)
        let again = try await world.listener(2, in: room)
        #expect(try await again.isQuiet())
    }

    @Test func listener_duringWrites_receivesEachMessageOnce() async throws {
        let room = try await world.room(of: 1, 2)
        try await withThrowingTaskGroup(of: [Int64].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let wire = try await world.listener(2, in: room)
                    var received: [Int64] = []
                    while received.last != 60 { received.append(try await wire.chat(in: room).sequence) }
                    return received
                }
            }
            for number in 1...60 { try await world.say("\(number)", 1, in: room) }
            for try await received in group { #expect(received == Array(1...60)) }
        }
    }

    @Test func messages_reachListenersOfOtherCopy() async throws {
        try await ChatWorld.test(.anlaka, people: [:], isLive: true) { other in
            let room = try await world.room(of: 1, 2)
            let wires = [
                try await world.listener(1, in: room), try await other.listener(1, in: room),
                try await other.listener(2, in: room),
            ]
            for number in 1...20 {
                try await (number.isMultiple(of: 3) ? other : world).say("\(number)", 1, in: room)
            }
            for wire in wires {
                for number in 1...20 { #expect(try await wire.chat(in: room).content == "\(number)") }
                #expect(try await wire.isQuiet())
            }
        }
    }

    @Test func lostDatabaseConnection_losesNoMessage() async throws {
        try await ChatWorld.test(.anlaka, people: [:], isLive: true) { other in
            let room = try await world.room(of: 1, 2)
            let wire = try await other.listener(2, in: room)
            for number in 1...30 {
                if number.isMultiple(of: 10) {
                    while try await Self.killListeners() == 0 { try await Task.sleep(for: .milliseconds(5)) }
                }
                try await world.say("\(number)", 1, in: room)
            }
            for number in 1...30 { #expect(try await wire.chat(in: room).content == "\(number)") }
        }
    }

    /// Terminates the connections on which the copies listen. Announcements are sent on them, too.
    private static func killListeners() async throws -> Int {
        let schema = try #require(TestDatabase.current.configuration.schema)
        return try await TestServer.admin.one(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE application_name = \(schema) AND (query LIKE 'LISTEN%' OR query LIKE '%pg_notify%')
            """
        ) { try $0.decode(Int.self) }
    }
}
