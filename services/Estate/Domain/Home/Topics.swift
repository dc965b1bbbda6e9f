import FoundationEssentials
import Postgres
import Values

/// The topics of the home screen (Anlaka contract 2.2, call 21).
///
/// An operator writes a topic as a row: `INSERT INTO estate.topics (title, content, link) VALUES ('…', '…',
/// 'https://…')`; `content` and `link` are optional, and a `date` in the future delays it. The service writes notes on
/// the market (`MarketNote`) at the first request of each day in Seoul; the first replica writes them for all.
struct Topics: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let store = TopicStore()

    private static let limit = 20
    /// Days for which the market notes are kept.
    private static let daysKept = 365

    /// The latest twenty topics, newest first.
    func latest() async throws -> [Topic] {
        let now = now()
        let today = SeoulTime.date(of: now)
        if try await !store.hasNotes(of: today, in: database) {
            let figures = try await store.figures(
                newSince: SeoulTime.instant(today + -1),
                likedSince: now - FeaturedListings.hotPeriod,
                in: database
            )
            try await store.insert(MarketNote.notes(on: figures), on: today, in: database)
        }
        return try await store.topics(until: today, limit: Self.limit, in: database)
    }

    /// Deletes old market notes.
    func prune() async throws {
        try await store.prune(before: SeoulTime.date(of: now()) + -Self.daysKept, in: database)
    }
}

/// A topic of the home screen.
struct Topic: Sendable, Equatable {
    /// The day in Seoul.
    var date: CivilDate
    var title: String
    var content: String
    var link: String?
}
