import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Chat

/// Concurrent messages are written once and in order.
@Suite(.database(Migrations.all), .timeLimit(.minutes(2)), .chat(.anlaka)) struct SendTests {
    private var world: ChatWorld { .current }

    private struct Chat: Decodable, Equatable {
        var content: String
        var createdAt: String
        var sequence: Int64
    }

    private struct Chats: Decodable { var data: [Chat] }

    @Test func concurrentRoomOpenings_createOneRoom() async throws {
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for turn in 0..<20 {
                group.addTask { try await turn.isMultiple(of: 2) ? world.room(of: 1, 2) : world.room(of: 2, 1) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await world.count("rooms") == 1)
        #expect(try await world.count("members") == 2)
    }

    @Test func concurrentMessages_haveGaplessSequence() async throws {
        let room = try await world.room(of: 1, 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for account in [1, 2] as [AccountID] {
                group.addTask {
                    for number in 1...40 {
                        let json = #"{"content":"\#(account)-\#(number)","files":[]}"#
                        let answer = try await world.client(account).send(.post, "/v1/chats/\(room)", json: json)
                        #expect(answer.status == .ok)
                    }
                }
            }
            try await group.waitForAll()
        }
        let chats = try await world.client(1).send(.get, "/v1/chats/\(room)").json(Chats.self).data
        #expect(chats.map(\.sequence) == Array(1...80))
        for account in 1...2 {
            let own = chats.map(\.content).filter { $0.hasPrefix("\(account)-") }
            #expect(own == (1...40).map { "\(account)-\($0)" })
        }
        // `from` is exclusive and precise to the millisecond: each message's time returns exactly the later ones.
        #expect(Set(chats.map(\.createdAt)).count == 80)
        for index in [0, 39, 78] {
            let from = chats[index].createdAt
            for query in ["from=\(from)", "next=\(from)"] {
                let newer = try await world.client(2).send(.get, "/v1/chats/\(room)?\(query)").json(Chats.self).data
                #expect(newer == Array(chats[(index + 1)...]))
            }
        }
    }

    @Test func repeatedClientID_writesOneMessage() async throws {
        let room = try await world.room(of: 1, 2)
        let json = #"{"content":"한 번만","client_id":"a"}"#
        let chats = try await withThrowingTaskGroup(of: Chat.self) { group in
            for _ in 0..<20 {
                group.addTask { try await world.client(1).send(.post, "/v1/chats/\(room)", json: json).json(Chat.self) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(chats.count == 20 && Set(chats.map(\.sequence)) == [1])
        // Another sender may use the same client id.
        let other = try await world.client(2).send(.post, "/v1/chats/\(room)", json: json).json(Chat.self)
        #expect(other.sequence == 2)
        #expect(try await world.count("messages") == 2)
    }
}
