import Contracts
import Outbox
import People
import Postgres

/// Who follows whom (Culture contract 2, calls 21 and 22; 4.4).
struct Follows: Sendable {
    let database: PostgresClient
    let people: People
    let outbox: Outbox
    private let store = FollowStore()

    init(database: PostgresClient, people: People, outbox: Outbox) {
        self.database = database
        self.people = people
        self.outbox = outbox
    }

    /// So many followers and followed people are told of, the latest.
    static let circleLimit = 10_000
    /// So many posts are.
    static let postLimit = 1000

    /// Says whether somebody follows another. Said again, it changes nothing. The other is told when they begin.
    ///
    /// - Parameter publicID: what the app calls the other.
    /// - Returns: both.
    /// - Throws: `CommunityError.personNotFound`, `.rule` for oneself, `PersonUnknown`.
    func set(
        _ isFollowing: Bool,
        _ publicID: String,
        by account: Int64
    ) async throws -> (person: Person, other: Person) {
        let person = try await people.person(account)
        guard publicID != person.publicID else { throw CommunityError.rule("user_id must be somebody else's.") }
        guard let other = try await people.account(publicID: publicID, of: .culture) else {
            throw CommunityError.personNotFound
        }
        try await database.transaction { transaction in
            try await people.lock(account, in: transaction)
            guard try await people.lock(publicID: publicID, of: .culture, in: transaction) != nil else {
                throw CommunityError.personNotFound
            }
            if isFollowing {
                guard try await store.insert(account, follows: other, in: transaction) else { return }
                let event = CommunityEvents.Followed(app: .culture, account: other, sender: account)
                try await outbox.publish(event, in: transaction)
            } else {
                try await store.delete(account, follows: other, in: transaction)
            }
        }
        return (person, try await people.person(other))
    }

    /// Whom somebody knows, and what they have posted; empty for who has neither.
    func circle(of account: Int64) async throws -> CommunityAPI.Circle {
        async let followers = store.followers(of: account, limit: Self.circleLimit, in: database)
        async let following = store.following(by: account, limit: Self.circleLimit, in: database)
        async let posts = store.posts(by: account, limit: Self.postLimit, in: database)
        return try await CommunityAPI.Circle(followers: followers, following: following, posts: posts)
    }

    /// Forgets whom somebody knows who has left.
    func deleteAll(of account: Int64, _ transaction: PostgresTransaction) async throws {
        try await store.deleteAll(of: account, in: transaction)
    }
}
