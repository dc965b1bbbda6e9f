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
    /// One statement holds the post's row for no longer than it takes, so that it is not deleted meanwhile, and changes its
    /// count by what has become of the like itself; so the count is always that of the likes, and a crowd is soon through.
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
        try await people.person(account)
        let (isPerson, isPost) =
            isLiked
            ? try await store.insert(publicID, kind: kind, in: app, by: account, at: now(), database)
            : try await store.delete(publicID, kind: kind, in: app, by: account, database)
        guard isPerson else { throw PersonUnknown() }
        guard isPost else { throw CommunityError.postNotFound }
    }
}
