import CivilTime
import FoundationEssentials
import Postgres

/// What the home screen tells (Anlaka contract 2.2, call 21).
///
/// An operator writes a topic as a row: `INSERT INTO estate.topics (title, content, link) VALUES ('…', '…', 'https://…')`;
/// `content` and `link` may be left out, and a `date` in days to come keeps it until then. The service itself writes what its
/// listings say of the market (`MarketNote`), at the first question of each day in Seoul; whichever copy comes first has
/// written it for all.
struct Topics: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let store = TopicStore()

    init(database: PostgresClient, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.now = now
    }

    private static let limit = 20

    /// The latest twenty, the newest first.
    func latest() async throws -> [Topic] {
        let now = now()
        let today = SeoulTime.date(of: now)
        if try await !store.hasNotes(of: today, in: database) {
            let figures = try await store.figures(
                newSince: SeoulTime.instant(today + -1),
                likedSince: now - Picks.hotPeriod,
                in: database
            )
            try await store.insert(MarketNote.notes(on: figures), on: today, in: database)
        }
        return try await store.topics(until: today, limit: Self.limit, in: database)
    }
}

/// Something that the home screen tells.
struct Topic: Sendable, Equatable {
    /// In Seoul.
    var date: CivilDate
    var title: String
    var content: String
    var link: String?
}
