import Contracts
import FoundationEssentials
import Postgres
import Profiles

/// Likes of posts. `Posts.liked` lists them.
struct Likes: Sendable {
    let database: PostgresClient
    let people: People
    let now: @Sendable () -> Date
    private let store = LikeStore()

    /// Sets or removes a like. Idempotent: a repetition changes neither the count nor the time.
    ///
    /// One statement locks the post's row against deletion, and changes the count only if the like was inserted or
    /// deleted. Likes of one post do not wait for each other (`LikeCounts`). While they wait for its deletion they leave
    /// connections for other writes.
    ///
    /// - Parameter kind: 1, which is counted, or 2 for Seoul Culture's second kind.
    /// - Throws: `CommunityError.postNotFound`, also for a hidden post; `PersonUnknown`.
    func set(
        _ isLiked: Bool,
        _ publicID: PublicID,
        kind: Int16 = 1,
        in app: App,
        by account: AccountID
    ) async throws {
        try await people.person(account)
        let writing = database.limited(to: "post \(publicID)")
        let (isPerson, isPost) =
            isLiked
            ? try await store.insert(publicID, kind: kind, in: app, by: account, at: now(), writing)
            : try await store.delete(publicID, kind: kind, in: app, by: account, writing)
        guard isPerson else { throw PersonUnknown() }
        guard isPost else { throw CommunityError.postNotFound }
    }
}
