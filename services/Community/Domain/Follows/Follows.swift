import Contracts
import Events
import Postgres
import Profiles

/// Follows between users (Culture contract 2, calls 21 and 22; 4.4).
struct Follows: Sendable {
    let database: PostgresClient
    let people: People
    let outbox: Outbox
    private let store = FollowStore()

    /// Maximum number of followers and of followed accounts in a circle, latest first.
    static let circleLimit = 10_000
    /// Maximum number of posts in a circle.
    static let postLimit = 1000

    /// Follows or unfollows a user. Idempotent. Publishes `CommunityEvents.Followed` for a new follow.
    ///
    /// - Parameter publicID: The other user's.
    /// - Returns: Both users.
    /// - Throws: `CommunityError.personNotFound`, `.rule` for the caller's own ID, `PersonUnknown`.
    func set(
        _ isFollowing: Bool,
        _ publicID: PublicID,
        by account: AccountID
    ) async throws -> (person: Person, other: Person) {
        let person = try await people.person(account)
        guard publicID != person.publicID else { throw CommunityError.rule("user_id must be another user's.") }
        guard let other = try await people.account(publicID: publicID, of: .culture) else {
            throw CommunityError.personNotFound
        }
        try await database.transaction(key: "account \(other)") { transaction in
            try people.lock(account, in: transaction)
            guard try await people.lock(publicID: publicID, of: .culture, in: transaction) != nil else {
                throw CommunityError.personNotFound
            }
            if isFollowing {
                guard try await store.insert(account, follows: other, in: transaction) else { return }
                let event = CommunityEvents.Followed(app: .culture, account: other, sender: account)
                try outbox.publish(event, in: transaction)
            } else {
                try await store.delete(account, follows: other, in: transaction)
            }
        }
        return (person, try await people.person(other))
    }

    /// The followers, followed accounts and posts of an account; empty for an unknown one.
    func circle(of account: AccountID) async throws -> CommunityAPI.Circle {
        async let followers = store.followers(of: account, limit: Self.circleLimit, in: database)
        async let following = store.following(by: account, limit: Self.circleLimit, in: database)
        async let posts = store.posts(by: account, limit: Self.postLimit, in: database)
        return try await CommunityAPI.Circle(followers: followers, following: following, posts: posts)
    }

    /// Deletes the follows of a withdrawn account.
    func deleteAll(of account: AccountID, _ transaction: PostgresTransaction) async throws {
        try await store.deleteAll(of: account, in: transaction)
    }
}
