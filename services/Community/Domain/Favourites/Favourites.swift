import Contracts
import Paging
import People
import Postgres

/// The events that people like, each its owner's secret. One person likes one event of a title (Culture contract 4.3, 6).
struct Favourites: Sendable {
    let database: PostgresClient
    let people: People
    private let store = FavouriteStore()

    init(database: PostgresClient, people: People) {
        self.database = database
        self.people = people
    }

    /// The longest title of an event that can be liked: a product id has room for it and the public id behind it.
    static let titleLimit = 500

    /// Whether a post's product id is that of an event that somebody likes. Compared by bytes: a title may end in a character
    /// that would merge with the first digit.
    static func isFavourite(_ productID: String?, of person: Person) -> Bool {
        (productID ?? "").utf8.suffix(person.publicID.utf8.count).elementsEqual(person.publicID.utf8)
    }

    /// Likes an event. Who does so again is answered what they liked first.
    ///
    /// - Parameter draft: whose `category` is the product id.
    /// - Throws: `CommunityError.rule`, `PersonUnknown`.
    func create(_ draft: PostDraft, by account: Int64) async throws -> Favourite {
        try draft.check(for: .culture)
        guard let productID = draft.category, let content = draft.content,
            let event = CulturalEvent(favouriteContent: content)
        else { throw CommunityError.rule("content of a liked event must have 14 parts joined with $$$.") }
        guard (draft.files ?? []).isEmpty, (draft.notes ?? [:]).isEmpty, draft.price == nil else {
            throw CommunityError.rule("files, content1 to content5 and price have no place in a liked event.")
        }
        return try await database.transaction { transaction in
            try await people.lock(account, in: transaction)
            return try await store.insert(
                productID: productID,
                title: draft.title,
                content: content,
                event: event.id,
                publicID: PublicID.random(),
                by: account,
                transaction
            )
        }
    }

    /// Takes a like back.
    ///
    /// - Returns: whether there was one under this public id of this person's.
    func delete(_ publicID: String, by account: Int64) async throws -> Bool {
        guard PublicID.isOne(publicID) else { return false }
        return try await store.delete(publicID, by: account, in: database)
    }

    /// Nil for another's.
    func favourite(_ publicID: String, of account: Int64) async throws -> Favourite? {
        guard PublicID.isOne(publicID) else { return nil }
        return try await store.favourite(publicID, of: account, in: database)
    }

    /// The ids of what somebody likes, the latest like first, each with where a page would end behind it.
    ///
    /// - Parameter productIDs: only these; nil for all.
    func found(
        _ productIDs: [String]? = nil,
        of account: Int64,
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> [PostStore.Found] {
        if let productIDs, productIDs.isEmpty { return [] }
        return try await store.found(productIDs, of: account, after: cursor, limit: limit, in: database)
    }

    /// In the order of their ids, without those that are gone.
    func favourites(_ ids: [Int64]) async throws -> [Favourite] {
        guard !ids.isEmpty else { return [] }
        let found = try await store.favourites(ids, in: database)
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }

    /// Forgets what somebody likes who has left.
    func deleteAll(of account: Int64, _ transaction: PostgresTransaction) async throws {
        try await store.deleteAll(of: account, in: transaction)
    }
}
