import Contracts
import Postgres
import Profiles
import ServiceKit

/// Liked events, visible to their owner only. A user can like one event per title (Culture contract 4.3, 6).
struct FavoriteEvents: Sendable {
    let database: PostgresClient
    let people: People
    private let store = FavoriteEventStore()

    /// Maximum length of a liked event's title, limited by the length of a product ID.
    static let titleLimit = 500

    /// Whether a product ID is that of a liked event of a person. Compared by bytes: the last character of a title
    /// could combine with the first digit.
    static func isFavourite(_ productID: String?, of person: Person) -> Bool {
        let id = person.publicID.rawValue.utf8
        return (productID ?? "").utf8.suffix(id.count).elementsEqual(id)
    }

    /// Likes an event. A repetition returns the first like.
    ///
    /// - Parameter draft: `category` is the product ID.
    /// - Throws: `CommunityError.rule`, `PersonUnknown`.
    func create(_ draft: PostDraft, by account: AccountID) async throws -> FavoriteEvent {
        try draft.check(for: .culture)
        guard let productID = draft.category, let content = draft.content,
            let event = CulturalEvent(favouriteContent: content)
        else { throw CommunityError.rule("content of a liked event must have 14 parts joined with $$$.") }
        guard (draft.files ?? []).isEmpty, (draft.notes ?? [:]).isEmpty, draft.price == nil else {
            throw CommunityError.rule("files, content1 to content5 and price have no place in a liked event.")
        }
        return try await database.transaction(key: "account \(account)") { transaction in
            try people.lock(account, in: transaction)
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

    /// Removes a like.
    ///
    /// - Returns: Whether the account had a like with this public ID.
    func delete(_ publicID: PublicID, by account: AccountID) async throws -> Bool {
        try await store.delete(publicID, by: account, in: database)
    }

    /// nil when it belongs to another account.
    func favourite(_ publicID: PublicID, of account: AccountID) async throws -> FavoriteEvent? {
        try await store.favourite(publicID, of: account, in: database)
    }

    /// The IDs of an account's liked events, latest like first, each with the cursor of the page after it.
    ///
    /// - Parameter productIDs: Only these; nil for all.
    func found(
        _ productIDs: [String]? = nil,
        of account: AccountID,
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> [PostStore.Found] {
        if let productIDs, productIDs.isEmpty { return [] }
        return try await store.found(productIDs, of: account, after: cursor, limit: limit, in: database)
    }

    /// The liked events in the order of the IDs, without deleted ones.
    func favourites(_ ids: [PostID]) async throws -> [FavoriteEvent] {
        guard !ids.isEmpty else { return [] }
        let found = try await store.favourites(ids, in: database)
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }

    /// Deletes the likes of a withdrawn account.
    func deleteAll(of account: AccountID, _ transaction: PostgresTransaction) async throws {
        try await store.deleteAll(of: account, in: transaction)
    }
}
