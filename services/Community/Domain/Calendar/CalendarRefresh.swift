import Contracts
import FoundationEssentials
import Postgres
import Values

/// Fetches the city's events once a day. The schedule is a row in the database: the first replica makes the attempt,
/// and another one repeats an attempt that was interrupted.
///
/// An attempt is complete when it has all rows that the feed announces; until then the old events are kept.
struct CalendarRefresh: Sendable {
    /// A part of the feed.
    struct Part: Sendable {
        /// Total number of rows in the feed.
        var total: Int
        var events: [CulturalEvent]
    }

    /// Fetches rows of the feed; positions start at 1.
    typealias Fetch = @Sendable (ClosedRange<Int>) async throws -> Part

    let database: PostgresClient
    let fetch: Fetch
    let now: @Sendable () -> Date
    private let store = CalendarStore()

    init(database: PostgresClient, now: @escaping @Sendable () -> Date, fetch: @escaping Fetch) {
        self.database = database
        self.now = now
        self.fetch = fetch
    }

    /// Maximum number of rows per request of the feed.
    private static let partSize = 1000
    /// Upper bound of a plausible feed.
    private static let limit = 100_000
    /// Seconds for which no other replica starts an attempt; extended with every part.
    private static let lease = 60.0
    /// Minute of the day after which the city has published its new rows: 04:00.
    private static let minute = 4 * 60

    /// Makes an attempt if one is due.
    ///
    /// - Returns: Whether one was due.
    /// - Throws: The error of the attempt; the next one is due after a pause that grows with each failure.
    @discardableResult
    func runIfDue() async throws -> Bool {
        guard let attempt = try await store.begin(at: now(), until: now() + Self.lease, in: database) else {
            return false
        }
        do {
            try await save(try await all(attempt), attempt)
        } catch is LeaseLost {
            return true
        } catch {
            let pause = Self.pause(after: attempt.failures)
            try await store.fail(attempt.number, until: now() + pause, in: database)
            throw error
        }
        return true
    }

    /// Seconds: 5 at first, at most 3,600.
    static func pause(after failures: Int) -> Double { min(5 * Double(1 << min(failures, 20)), 3600) }

    /// The next 04:00 in Seoul.
    static func next(after now: Date) -> Date {
        let today = SeoulTime.instant(SeoulTime.date(of: now), minute: minute)
        return today > now ? today : SeoulTime.instant(SeoulTime.date(of: now) + 1, minute: minute)
    }

    /// - Throws: `FeedIncomplete` unless all rows announced by the first part are received.
    private func all(_ attempt: CalendarStore.Attempt) async throws -> [CulturalEvent] {
        let first = try await fetch(1...Self.partSize)
        guard (1...Self.limit).contains(first.total) else { throw FeedIncomplete() }
        var events = first.events
        while events.count < first.total {
            guard try await store.extend(attempt.number, until: now() + Self.lease, in: database) else {
                throw LeaseLost()
            }
            let part = try await fetch(events.count + 1...events.count + Self.partSize)
            guard part.total == first.total, !part.events.isEmpty else { throw FeedIncomplete() }
            events += part.events
        }
        guard events.count == first.total else { throw FeedIncomplete() }
        return events
    }

    /// Replaces all events. Rows without a title or date are dropped, since no client can show them.
    private func save(_ events: [CulturalEvent], _ attempt: CalendarStore.Attempt) async throws {
        var seen: Set<PublicID> = []
        let shown = events.filter { event in
            !event[.title].isEmpty && event[.title].unicodeScalars.count <= FavoriteEvents.titleLimit
                && event.startsOn != nil && seen.insert(event.id).inserted
        }
        guard !shown.isEmpty else { throw FeedIncomplete() }
        try await database.transaction { transaction in
            let now = now()
            let next = Self.next(after: now)
            guard try await store.finish(attempt.number, at: now, next: next, in: transaction) else {
                throw LeaseLost()
            }
            try await store.replace(with: shown, attempt.number, in: transaction)
        }
    }

    /// Another replica has started an attempt meanwhile.
    private struct LeaseLost: Error {}
}

/// The feed has returned other rows than announced.
struct FeedIncomplete: Error, Sendable, Equatable {}
