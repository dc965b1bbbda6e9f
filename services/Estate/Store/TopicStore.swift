import FoundationEssentials
import Postgres
import ServiceDatabase
import Values

/// SQL of topics.
struct TopicStore: Sendable {
    /// The topics up to a day, newest first.
    func topics(until date: CivilDate, limit: Int, in database: some Querying) async throws -> [Topic] {
        try await database.all(Self.topics(until: date, limit: limit)) { row in
            let (date, title, content, link) = try row.decode(as: (CivilDate, String, String, String?).self)
            return Topic(date: date, title: title, content: content, link: link)
        }
    }

    static func topics(until date: CivilDate, limit: Int) -> SQL {
        """
        SELECT date, title, content, link FROM topics WHERE date <= \(date) ORDER BY date DESC, id DESC LIMIT \(limit)
        """
    }

    /// Whether the market notes of a day exist.
    func hasNotes(of date: CivilDate, in database: some Querying) async throws -> Bool {
        try await database.one(
            "SELECT EXISTS (SELECT FROM topics WHERE date = \(date) AND kind IS NOT NULL)"
        ) { try $0.decode(Bool.self) }
    }

    /// Inserts the notes of a day, except existing ones.
    func insert(_ notes: [MarketNote], on date: CivilDate, in database: some Querying) async throws {
        guard !notes.isEmpty else { return }
        try await database.execute(
            """
            INSERT INTO topics (date, kind, title, content)
            SELECT \(date), note.* FROM unnest(
                \(notes.map(\.kind.rawValue)), \(notes.map(\.title)), \(notes.map(\.content))
            ) AS note
            ON CONFLICT (date, kind) DO NOTHING
            """
        )
    }

    /// Deletes the notes before a day; topics of operators stay.
    func prune(before day: CivilDate, in database: PostgresClient) async throws {
        try await database.prune("topics", where: Self.isNote(before: day))
    }

    static func isNote(before day: CivilDate) -> SQL { "date < \(day) AND kind IS NOT NULL" }

    /// The statistics of all listings. A full scan, once a day.
    func figures(
        newSince: Date,
        likedSince: Date,
        in database: some Querying
    ) async throws -> MarketFigures {
        let newListings = try await database.one("SELECT count(*) FROM listings WHERE created_at >= \(newSince)") {
            try $0.decode(Int.self)
        }
        let rent = try await database.optional(
            """
            SELECT category, count(*), round(avg(monthly_rent))::bigint FROM listings WHERE monthly_rent > 0
            GROUP BY category ORDER BY count(*) DESC, category LIMIT 1
            """
        ) { row in
            let (category, listings, average) = try row.decode(as: (String, Int, Int64).self)
            return MarketFigures.Rent(category: category, listings: listings, average: average)
        }
        let region = try await database.optional(
            """
            SELECT l.region, count(*) FROM likes k JOIN listings l ON l.id = k.listing_id
            WHERE k.created_at > \(likedSince) AND l.region IS NOT NULL
            GROUP BY l.region ORDER BY count(*) DESC, l.region LIMIT 1
            """
        ) { row in
            let (name, likes) = try row.decode(as: (String, Int).self)
            return MarketFigures.Region(name: name, likes: likes)
        }
        return MarketFigures(newListings: newListings, rent: rent, region: region)
    }
}
