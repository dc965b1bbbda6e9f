import Contracts
import FoundationEssentials
import People
import Postgres

/// Which posts people like. `Posts.liked` lists them.
struct Likes: Sendable {
    let database: PostgresClient
    let people: People
    let now: @Sendable () -> Date
    private let store = LikeStore()

    init(database: PostgresClient, people: People, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.people = people
        self.now = now
    }

    /// Says whether somebody likes a post. Said again, it changes nothing: neither the count, nor since when.
    ///
    /// Whoever likes holds the post's row, so that it is not deleted meanwhile, and changes its count by what has become of
    /// the like itself; so the count is always that of the likes.
    ///
    /// - Parameter kind: 1, which is counted, or 2 for Seoul Culture's second kind.
    /// - Throws: `CommunityError.postNotFound`, also for a post that they may not see; `PersonUnknown`.
    func set(
        _ isLiked: Bool,
        _ publicID: String,
        kind: Int16 = 1,
        in app: App,
        by account: Int64
    ) async throws {
        guard PublicID.isOne(publicID) else { throw CommunityError.postNotFound }
        let person = try await people.person(account)
        try await database.transaction { transaction in
            try await people.lock(account, in: transaction)
            let isThere =
                isLiked
                ? try await store.insert(publicID, kind: kind, in: app, by: person, at: now(), in: transaction)
                : try await store.delete(publicID, kind: kind, in: app, by: person, in: transaction)
            guard isThere else { throw CommunityError.postNotFound }
        }
    }
}
