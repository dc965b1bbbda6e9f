import Contracts
import FoundationEssentials
import Synchronization
import TestKit
import Testing

@testable import Chat

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)))
struct LiveFeedTests {
    @Test func checkListening_throwsUntilListening() async throws {
        let feed = LiveFeed(database: TestDatabase.current.client, logger: .quiet)
        await #expect(throws: LiveFeed.NotListening.self) { try await feed.checkListening() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await feed.run() }
            while (try? await feed.checkListening()) == nil { try await Task.sleep(for: .milliseconds(2)) }
            group.cancelAll()
        }
    }

    // MARK: Reading

    private static func event(_ sequence: Int64, in room: RoomID) -> RoomEvent {
        let at = Date(timeIntervalSince1970: 0)
        let message = Message(room: room, sequence: sequence, sender: 9, content: "\(sequence)", createdAt: at)
        return RoomEvent(sequence: sequence, kind: .sent, at: at, message: message)
    }

    /// The sequence numbers that a subscriber of each room has received.
    private final class Subscriber: RoomListener {
        private let numbers = Mutex<[RoomID: [Int64]]>([:])

        func receive(_ signal: RoomSignal, in room: RoomID) {
            guard case .event(let event) = signal else { return }
            numbers.withLock { $0[room, default: []].append(event.sequence) }
        }

        func numbers(in room: RoomID) -> [Int64] { numbers.withLock { $0[room] ?? [] } }
    }

    /// What the feed reads: rooms 1 to 40 with two events each.
    private final class Tables: Sendable {
        struct Away: Error {}

        struct State {
            var queries: [[RoomID]] = []
            var failing: Set<RoomID> = []
            var blocked: Set<RoomID> = []
        }

        let state = Mutex(State())

        func read(_ positions: [RoomPosition]) async throws -> [RoomEvent] {
            let rooms = positions.map(\.room)
            state.withLock { $0.queries.append(rooms) }
            while state.withLock({ !$0.blocked.isDisjoint(with: rooms) }) {
                try await Task.sleep(for: .milliseconds(2))
            }
            if state.withLock({ !$0.failing.isDisjoint(with: rooms) }) { throw Away() }
            return positions.flatMap { position in
                (1...2).filter { $0 > position.sequence }.map { LiveFeedTests.event($0, in: position.room) }
            }
        }
    }

    private func feed(_ tables: Tables, _ subscriber: Subscriber, rooms: ClosedRange<Int64>) async throws -> LiveFeed {
        let feed = LiveFeed(database: TestDatabase.current.client, logger: .quiet, read: tables.read)
        for room in rooms { _ = try await feed.subscribe(RoomID(rawValue: room), subscriber) }
        return feed
    }

    @Test func blockedRoom_doesNotDelayOthers() async throws {
        let (tables, subscriber) = (Tables(), Subscriber())
        tables.state.withLock { $0.blocked = [1] }
        let feed = try await feed(tables, subscriber, rooms: 1...3)
        // The first event is missing: both are read.
        await feed.publish([Self.event(2, in: 1)])
        try await eventually { tables.state.withLock { $0.queries } == [[1]] }
        for room in [2, 3] as [RoomID] {
            await feed.publish([Self.event(2, in: room)])
            try await eventually { subscriber.numbers(in: room) == [1, 2] }
        }
        #expect(subscriber.numbers(in: 1) == [])
        // A later event of the blocked room waits for the earlier ones.
        await feed.publish([Self.event(3, in: 2)])
        try await eventually { subscriber.numbers(in: 2) == [1, 2, 3] }
        tables.state.withLock { $0.blocked = [] }
        try await eventually { subscriber.numbers(in: 1) == [1, 2] }
    }

    @Test func failingRoom_isReadAloneAgain() async throws {
        let (tables, subscriber) = (Tables(), Subscriber())
        tables.state.withLock { $0.failing = [2] }
        let feed = try await feed(tables, subscriber, rooms: 1...3)
        await feed.publish((1...3).map { Self.event(2, in: RoomID(rawValue: $0)) })
        for room in [1, 3] as [RoomID] { try await eventually { subscriber.numbers(in: room) == [1, 2] } }
        try await eventually { tables.state.withLock { $0.queries.count { $0 == [2] } } > 2 }
        #expect(subscriber.numbers(in: 2) == [])
        tables.state.withLock { $0.failing = [] }
        try await eventually { subscriber.numbers(in: 2) == [1, 2] }
    }

    @Test func severalRooms_areReadInOneQuery() async throws {
        let (tables, subscriber) = (Tables(), Subscriber())
        let feed = try await feed(tables, subscriber, rooms: 1...40)
        await feed.publish((1...40).map { Self.event(2, in: RoomID(rawValue: $0)) })
        for room in 1...40 {
            try await eventually { subscriber.numbers(in: RoomID(rawValue: Int64(room))) == [1, 2] }
        }
        #expect(tables.state.withLock { $0.queries.map(\.count) }.sorted() == [8, 32])
    }
}
