import CivilTime
import FoundationEssentials
import Postgres

/// Fetches the city's events once a day. When, is a row of the database: whichever copy of the service comes first makes the
/// attempt, and one that is cut short is made again by another.
///
/// An attempt counts when it has all rows that the feed says there are; until then everything stays as it was.
struct CalendarRefresh: Sendable {
    /// Rows of the feed.
    struct Part: Sendable {
        /// How many there are in all.
        var total: Int
        var events: [CulturalEvent]
    }

    /// Asks for a part of the feed; positions are counted from 1.
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

    /// Rows that the feed gives at once.
    private static let partSize = 1000
    /// More than any feed of one city has.
    private static let limit = 100_000
    /// How long nobody else begins, in seconds; renewed with every part.
    private static let lease = 60.0
    /// The minute of the day after which the city has its new rows: 04:00.
    private static let minute = 4 * 60

    /// Makes an attempt if one is due.
    ///
    /// - Returns: whether one was.
    /// - Throws: what the attempt has failed with; the next is then due after a pause, longer each time.
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

    /// Seconds: five at first, an hour at most.
    static func pause(after failures: Int) -> Double { min(5 * Double(1 << min(failures, 20)), 3600) }

    /// The next 04:00 in Seoul.
    static func next(after now: Date) -> Date {
        let today = SeoulTime.instant(SeoulTime.date(of: now), minute: minute)
        return today > now ? today : SeoulTime.instant(SeoulTime.date(of: now) + 1, minute: minute)
    }

    /// - Throws: `FeedIncomplete` unless every row comes that the first part has told of.
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

    /// Puts all rows in the place of the old ones. Rows without a title or a day cannot be shown by either.
    private func save(_ events: [CulturalEvent], _ attempt: CalendarStore.Attempt) async throws {
        var seen: Set<String> = []
        let shown = events.filter { event in
            !event[.title].isEmpty && event[.title].unicodeScalars.count <= Favourites.titleLimit
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

    /// Another copy has begun meanwhile.
    private struct LeaseLost: Error {}
}

/// The feed has told of other rows than it has given.
struct FeedIncomplete: Error, Sendable, Equatable {}
