import Contracts
import FoundationEssentials
import Logging
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Chat

/// Announcements that have the events themselves.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)))
struct WholeEventsTests {
    /// Announces what the test says.
    private final class StubAnnouncer: Announcer {
        private let stream: AsyncStream<PostgresNotification>
        private let receiver: AsyncStream<PostgresNotification>.Continuation

        init() { (stream, receiver) = AsyncStream.makeStream() }

        func receive(_ notification: PostgresNotification) { receiver.yield(notification) }

        func announce(_ announcements: [Announcement]) {}
        func notifications(on channel: String) -> AsyncStream<PostgresNotification> { stream }
        func watch(_ key: String, on channel: String) {}
        func unwatch(_ key: String, on channel: String) {}
        func confirmWatches() async {}
        func check() async throws {}
        func run() async {}
        func drain() async {}
    }

    private final class Subscriber: RoomListener {
        private let contents = Mutex<[String]>([])

        var received: [String] { contents.withLock(\.self) }

        func receive(_ signal: RoomSignal, in room: RoomID) {
            guard case .event(let event) = signal else { return }
            contents.withLock { $0.append(event.message.content) }
        }
    }

    private static func event(_ sequence: Int64, _ content: String) -> RoomEvent {
        let at = Date(timeIntervalSince1970: 1)
        let message = Message(room: 7, sequence: sequence, sender: 9, content: content, createdAt: at)
        return RoomEvent(sequence: sequence, kind: .sent, at: at, message: message)
    }

    private static func announcement(_ events: RoomEvent...) throws -> PostgresNotification {
        let last = try #require(events.last).sequence
        let text = ChangeNotification.eventsWritten(7, through: last, accounts: [8, 9]).text
        return .message("\(text)\0\(try #require(AnnouncedEvents.text(events)))")
    }

    @Test func nextEvents_areDelivered_andMissingOnesRead() async throws {
        let (announcer, subscriber) = (StubAnnouncer(), Subscriber())
        var configuration = TestDatabase.current.configuration
        configuration.announcer = { _ in announcer }
        let client = PostgresClient(configuration, logger: .quiet)
        let queries = Mutex<[Int64]>([])
        let feed = LiveFeed(database: client, logger: .quiet) { positions in
            queries.withLock { $0 += positions.map(\.sequence) }
            return (1...5).map { Self.event($0, "read \($0)") }.filter { $0.sequence > positions[0].sequence }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            group.addTask { try await feed.run() }
            #expect(try await feed.subscribe(7, subscriber) == 0)
            announcer.receive(try Self.announcement(Self.event(1, "one"), Self.event(2, "둘")))
            try await eventually { subscriber.received == ["one", "둘"] }
            #expect(queries.withLock(\.self) == [])
            // It comes again, and then an older one.
            announcer.receive(try Self.announcement(Self.event(1, "one"), Self.event(2, "둘")))
            announcer.receive(try Self.announcement(Self.event(1, "one")))
            announcer.receive(try Self.announcement(Self.event(3, "three")))
            try await eventually { subscriber.received == ["one", "둘", "three"] }
            #expect(queries.withLock(\.self) == [])
            #expect(feed.recent.events(in: EventRange(room: 7, after: 2, through: 3))?.count == 1)
            // The fourth is missing.
            announcer.receive(try Self.announcement(Self.event(5, "five")))
            try await eventually { subscriber.received == ["one", "둘", "three", "read 4", "read 5"] }
            #expect(queries.withLock(\.self) == [3])
            // Without events, and with some that cannot be read.
            announcer.receive(.message("e 7 5 8,9\0x"))
            announcer.receive(.message("e 7 6 8,9\0x"))
            try await eventually { queries.withLock(\.self) == [3, 5] }
            group.cancelAll()
        }
    }
}
