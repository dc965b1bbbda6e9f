import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Sockets
import TestKit
import Testing

@testable import Chat

/// A subscription receives the events after any number, and then new ones, without a gap or a duplicate.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .liveChat(.anlaka)) struct StreamReplayTests {
    private var world: ChatWorld { .current }

    private struct Chat: Decodable {
        var id: String

        enum CodingKeys: String, CodingKey {
            case id = "chat_id"
        }
    }

    private static func write(
        _ world: ChatWorld,
        _ numbers: ClosedRange<Int>,
        by account: AccountID,
        in room: String
    ) async throws {
        for number in numbers {
            let json = #"{"content":"\#(account)-\#(number)"}"#
            #expect(try await world.client(account).send(.post, "/v1/chats/\(room)", json: json).status == .ok)
        }
    }

    @Test func subscription_afterSequence_receivesLaterEvents() async throws {
        let room = try await world.room(of: 1, 2)
        try await Self.write(world, 1...10, by: 1, in: room)
        let phone = try await StreamSubscriber.connect(world, 2)
        for after in [0, 1, 9, 10] {
            var subscriber = try await phone.listen(room, after: String(after), id: "\(after)")
            #expect(try await subscriber.events(10 - after).map(\.sequence) == (after..<10).map { Int64($0 + 1) })
        }
        // A subscription without a number receives new events only.
        let other = try await StreamSubscriber.connect(world, 1)
        var (now, all) = (try await phone.listen(room), try await other.listen(room, after: 0))
        try await Self.write(world, 11...12, by: 2, in: room)
        #expect(try await now.events(2).map(\.message.content) == ["2-11", "2-12"])
        let events = try await all.events(12)
        #expect(events.map(\.sequence) == Array(1...12))
        #expect(events[0].message.sender?["user_id"] == ChatWorld.publicID(1))
    }

    @Test func subscription_duringWrites_receivesEachEventOnce() async throws {
        let room = try await world.room(of: 1, 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for account in [1, 2] as [AccountID] {
                group.addTask { try await Self.write(world, 1...150, by: account, in: room) }
            }
            for number in 0..<12 {
                group.addTask {
                    try await Task.sleep(for: .milliseconds(20 * number))
                    let phone = try await StreamSubscriber.connect(world, AccountID(rawValue: Int64(1 + number % 2)))
                    var subscriber = try await phone.listen(room, after: 0)
                    let events = try await subscriber.events(300)
                    #expect(events.map(\.sequence) == Array(1...300))
                    for account in 1...2 {
                        let own = events.map(\.message.content).filter { $0.hasPrefix("\(account)-") }
                        #expect(own == (1...150).map { "\(account)-\($0)" })
                    }
                    try await phone.client.disconnect()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func longReplay_isPaged() async throws {
        let room = try await world.room(of: 1, 2)
        try await world.fill(room, with: 3000, of: 3000)
        // The events exceed the limit of unsent bytes: sent at once, they would close the slow socket.
        let slow = try await SlowStreamSubscriber.listen(world, 2, to: room, after: 0)
        try await Task.sleep(for: .milliseconds(300))
        let phone = try await StreamSubscriber.connect(world, 1)
        var subscriber = try await phone.listen(room, after: 0)
        #expect(try await subscriber.events(3000).map(\.sequence) == Array(1...3000))
        try await Self.write(world, 1...1, by: 1, in: room)
        #expect(try await subscriber.events(1).map(\.sequence) == [3001])
        #expect(try await slow.events(3001) == Array(1...3001))
        await slow.close()
    }

    @Test func changes_areSentLiveAndReplayed() async throws {
        let room = try await world.room(of: 1, 2)
        let phone = try await StreamSubscriber.connect(world, 2)
        var subscriber = try await phone.listen(room)
        var ids: [String] = []
        for text in ["하나", "둘"] {
            let answer = try await world.client(1).send(.post, "/v1/chats/\(room)", json: #"{"content":"\#(text)"}"#)
            ids.append(try answer.json(Chat.self).id)
        }
        let path = "/v1/chats/\(room)/messages/"
        _ = try await world.client(1).send(.patch, path + ids[0], json: #"{"content":"셋"}"#)
        _ = try await world.client(1).send(.delete, path + ids[1])
        let live = try await subscriber.events(4)
        #expect(live.map(\.type) == ["sent", "sent", "edited", "deleted"])
        #expect(live.map(\.message.content) == ["하나", "둘", "셋", ""])
        var later = try await phone.listen(room, after: "0", id: "later")
        let replayed = try await later.events(4)
        #expect(replayed.map(\.sequence) == [1, 2, 3, 4])
        // A replayed event carries the present content of its message.
        #expect(replayed.map(\.message.content) == ["셋", "", "셋", ""])
    }

    @Test func repeatedSubscriptionID_replacesSubscription() async throws {
        let room = try await world.room(of: 1, 2)
        let phone = try await StreamSubscriber.connect(world, 2)
        _ = try await phone.listen(room, after: "0", id: "a")
        var again = try await phone.listen(room, after: "0", id: "a")
        var other = try await phone.listen(room, after: "0", id: "b")
        try await Self.write(world, 1...3, by: 1, in: room)
        #expect(try await again.events(3).map(\.sequence) == [1, 2, 3])
        #expect(try await other.events(3).map(\.sequence) == [1, 2, 3])
        try await phone.client.unsubscribe(id: "b")
        try await Self.write(world, 4...4, by: 1, in: room)
        #expect(try await again.events(1).map(\.sequence) == [4])
        #expect(try await other.events(1) == [])
        try await phone.client.disconnect()
        while try await world.count("presences") > 0 { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test func messagesOfOtherCopy_arriveAfterLostConnection() async throws {
        let room = try await world.room(of: 1, 2)
        try await world.beside { copy in
            let phone = try await StreamSubscriber.connect(world, 2)
            var subscriber = try await phone.listen(room)
            try await Self.write(copy, 1...5, by: 1, in: room)
            try await Self.write(world, 6...7, by: 2, in: room)
            #expect(try await subscriber.events(7).map(\.sequence) == Array(1...7))
            for round in 0..<3 {
                let killed = try await world.database.one(
                    """
                    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                    WHERE application_name = current_schema() AND (query LIKE 'LISTEN%' OR query LIKE '%pg_notify%')
                        AND pid <> pg_backend_pid()
                    """
                ) { try $0.decode(Int.self) }
                #expect(killed > 0)
                let first = 8 + round * 2
                try await Self.write(copy, first...first + 1, by: 1, in: room)
                #expect(try await subscriber.events(2).map(\.sequence) == [Int64(first), Int64(first + 1)])
            }
        }
    }

    /// The replica committed the messages and died before it announced them.
    @Test func messagesOfDeadCopy_arrive() async throws {
        let room = try await world.room(of: 1, 2)
        let phone = try await StreamSubscriber.connect(world, 2)
        var subscriber = try await phone.listen(room)
        try await world.fill(room, with: 3, of: 1)
        try await world.database.execute("INSERT INTO copies VALUES (gen_random_uuid(), now() - interval '1 minute')")
        #expect(try await subscriber.events(3).map(\.sequence) == [1, 2, 3])
    }

    @Test func clearedMessages_areNotReplayed() async throws {
        let room = try await world.room(of: 1, 2)
        try await Self.write(world, 1...200, by: 1, in: room)
        _ = try await world.client(2).send(.delete, "/v1/chats/\(room)")
        let phone = try await StreamSubscriber.connect(world, 2)
        var subscriber = try await phone.listen(room, after: 0)
        try await Self.write(world, 201...202, by: 1, in: room)
        #expect(try await subscriber.events(2).map(\.sequence) == [201, 202])
    }
}
