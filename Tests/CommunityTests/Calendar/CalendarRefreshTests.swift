import FoundationEssentials
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CalendarRefreshTests {
    /// A feed that a test fills, and a clock that it sets.
    private final class Feed: Sendable {
        struct State {
            var now: Date
            var events: [CulturalEvent] = []
            var asked: [ClosedRange<Int>] = []
            /// Requests for parts from this position on fail.
            var brokenFrom: Int?
            /// The total that the feed reports; nil for the true number.
            var total: Int?
        }

        let state: Mutex<State>

        init(_ now: String) { state = Mutex(State(now: (try? Date(now, strategy: .iso8601)) ?? .distantPast)) }

        func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

        var asked: [ClosedRange<Int>] { state.withLock { $0.asked } }

        var refresh: CalendarRefresh {
            CalendarRefresh(database: TestDatabase.current.client, now: { self.state.withLock { $0.now } }) { range in
                try self.state.withLock { state in
                    state.asked.append(range)
                    if let broken = state.brokenFrom, range.lowerBound >= broken { throw FeedAway() }
                    let events = Array(state.events.dropFirst(range.lowerBound - 1).prefix(range.count))
                    return .init(total: state.total ?? state.events.count, events: events)
                }
            }
        }
    }

    private struct FeedAway: Error {}

    private static func events(_ numbers: some Sequence<Int>) -> [CulturalEvent] {
        numbers.map { CulturalEvent.fixture("전시 \($0)") }
    }

    private func titles() async throws -> Set<String> {
        Set(
            try await TestDatabase.current.client.all("SELECT title FROM cultural_events") {
                try $0.decode(String.self)
            }
        )
    }

    @Test func refresh_runsAtOnceAndThenDaily() async throws {
        let feed = Feed("2025-11-20T03:00:00Z")
        feed.set { $0.events = Self.events(1...3) }
        #expect(try await feed.refresh.runIfDue())
        #expect(try await titles() == ["전시 1", "전시 2", "전시 3"])
        feed.set { $0.events = Self.events(2...5) }
        #expect(try await !feed.refresh.runIfDue())
        // Noon of the 20th in Seoul: not before four in the morning of the 21st.
        feed.set { $0.now += 16 * 3600 - 1 }
        #expect(try await !feed.refresh.runIfDue())
        feed.set { $0.now += 1 }
        #expect(try await feed.refresh.runIfDue())
        #expect(try await titles() == ["전시 2", "전시 3", "전시 4", "전시 5"])
        #expect(feed.asked.count == 2)
    }

    @Test func refresh_keepsIdsOfRemainingEvents() async throws {
        let feed = Feed("2025-11-20T03:00:00Z")
        feed.set { $0.events = Self.events(1...3) }
        try await feed.refresh.runIfDue()
        func numbers() async throws -> [String: Int64] {
            let rows = try await TestDatabase.current.client.all("SELECT title, id FROM cultural_events") {
                try $0.decode(as: (String, Int64).self)
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }
        let before = try await numbers()
        feed.set {
            $0.events = [CulturalEvent.fixture("전시 3", [.fee: "새 값"])] + Self.events([2, 9])
            $0.now += 86_400
        }
        try await feed.refresh.runIfDue()
        let after = try await numbers()
        #expect(after["전시 3"] == before["전시 3"] && after["전시 2"] == before["전시 2"] && after["전시 1"] == nil)
        let fee = try await TestDatabase.current.client.one(
            "SELECT fields->>'USE_FEE' FROM cultural_events WHERE title = '전시 3'"
        ) { try $0.decode(String.self) }
        #expect(fee == "새 값")
    }

    @Test func refresh_fetchesAllParts() async throws {
        let feed = Feed("2025-11-20T03:00:00Z")
        feed.set { $0.events = Self.events(1...2500) }
        try await feed.refresh.runIfDue()
        #expect(feed.asked == [1...1000, 1001...2000, 2001...3000])
        #expect(try await titles().count == 2500)
    }

    @Test func refresh_skipsDuplicateAndInvalidEvents() async throws {
        let feed = Feed("2025-11-20T03:00:00Z")
        let bad = [
            CulturalEvent.fixture(""), CulturalEvent.fixture("언제", [.start: "", .date: ""]),
            CulturalEvent.fixture(String(repeating: "긴", count: 501)), CulturalEvent.fixture("전시 1"),
        ]
        feed.set { $0.events = Self.events(1...2) + bad }
        try await feed.refresh.runIfDue()
        #expect(try await titles() == ["전시 1", "전시 2"])
    }

    @Test(arguments: ["away", "half", "short", "empty", "shrinks", "nonsense"])
    func failedRefresh_keepsCalendarAndBacksOff(how: String) async throws {
        let feed = Feed("2025-11-20T03:00:00Z")
        feed.set { $0.events = Self.events(1...1500) }
        try await feed.refresh.runIfDue()
        feed.set { state in
            state.now += 86_400
            state.events = Self.events(2000...3600)
            switch how {
            case "away": state.brokenFrom = 1
            case "half": state.brokenFrom = 1001
            case "short": state.total = 1700
            case "empty": state.events = []
            case "nonsense": state.events = [CulturalEvent.fixture("")]
            default:
                state.events = Self.events(1...500)
                state.total = 1500
            }
        }
        for pause in [5.0, 10, 20] {
            await #expect(throws: (any Error).self) { try await feed.refresh.runIfDue() }
            #expect(try await titles() == Set((1...1500).map { "전시 \($0)" }))
            // The refresh is not repeated at once.
            #expect(try await !feed.refresh.runIfDue())
            feed.set { $0.now += pause - 1 }
            #expect(try await !feed.refresh.runIfDue())
            feed.set { $0.now += 1 }
        }
        feed.set {
            $0.events = Self.events(1...3)
            ($0.brokenFrom, $0.total) = (nil, nil)
        }
        #expect(try await feed.refresh.runIfDue())
        #expect(try await titles().count == 3)
        let failures = try await TestDatabase.current.client.one("SELECT failures FROM calendar_refresh") {
            try $0.decode(Int.self)
        }
        #expect(failures == 0)
    }

    @Test func pause_growsUpToOneHour() {
        #expect((0..<5).map(CalendarRefresh.pause) == [5, 10, 20, 40, 80])
        #expect(CalendarRefresh.pause(after: 1000) == 3600)
    }

    @Test func concurrentReplicas_fetchOnce() async throws {
        let feed = Feed("2025-11-20T03:00:00Z")
        feed.set { $0.events = Self.events(1...1500) }
        let attempts = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { try await feed.refresh.runIfDue() } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(attempts == 1 && feed.asked.count == 2)
    }

    /// A stalled replica blocks the others only until its lease ends, and its late result is discarded.
    @Test func stalledRefresh_isSuperseded() async throws {
        let feed = Feed("2025-11-20T03:00:00Z")
        feed.set { $0.events = Self.events(1...3) }
        let slow = CalendarRefresh(
            database: TestDatabase.current.client,
            now: { feed.state.withLock { $0.now } },
            fetch: { _ in
                feed.set { $0.now += 61 }
                let isOvertaken = try await feed.refresh.runIfDue()
                #expect(isOvertaken)
                return .init(total: 1, events: Self.events([99]))
            }
        )
        #expect(try await slow.runIfDue())
        #expect(try await titles() == ["전시 1", "전시 2", "전시 3"])
        #expect(try await !feed.refresh.runIfDue())
    }
}
