import Contracts
import FoundationEssentials
import Postgres
import Profiles
import ServiceKit

/// With Suhyeon's rooms (contract 2.5): one per companion post and inquirer, created with the first message and deleted
/// with the post.
struct WithSuhyeonRooms: Sendable {
    let database: PostgresClient
    let people: People
    let withdrawal: Withdrawal
    let auth: InternalClient
    let community: InternalClient
    private let store = RoomStore()

    /// The room of an inquirer and the author of a companion post; creates it if needed.
    ///
    /// - Throws: `ChatError.roomNotFound` when the author has no such post, `.blocked` when the room is new and one of
    ///   the two has blocked the other's phone number; `PersonUnknown`, `InternalCallError`.
    func room(about post: CompanionPostID, by inquirer: AccountID, with author: AccountID) async throws -> Room {
        if let (room, hasMessages) = try await store.room(post: post, inquirer: inquirer, in: database), hasMessages {
            guard room.second == author else { throw ChatError.roomNotFound }
            return room
        }
        let openPost = try await self.post(post, of: author)
        guard inquirer != author, let openPost else { throw ChatError.roomNotFound }
        guard try await !isBlocked(inquirer, author) else { throw ChatError.blocked }
        try await people.person(inquirer)
        try await people.person(author)
        try await open(openPost, by: inquirer)
        // The deletion of a post is received later than it happens: a room that was created for a deleted post is
        // deleted here.
        guard try await self.post(post, of: author) != nil else {
            try await database.transaction(key: "post \(post)") { try await withdrawal.forget(post: post, in: $0) }
            throw ChatError.roomNotFound
        }
        guard let (room, _) = try await store.room(post: post, inquirer: inquirer, in: database) else {
            throw ChatError.roomNotFound
        }
        return room
    }

    /// Each member's own ID of a room.
    ///
    /// - Throws: `ChatError.roomNotFound`.
    func copies(post: CompanionPostID, inquirer: AccountID) async throws -> (inquirers: PublicID, authors: PublicID) {
        guard let (inquirers, authors) = try await store.copies(post: post, inquirer: inquirer, in: database) else {
            throw ChatError.roomNotFound
        }
        return (inquirers, authors)
    }

    private func open(_ post: CommunityAPI.CompanionPosts.Post, by inquirer: AccountID) async throws {
        try await database.transaction(key: "account \(post.author)") { transaction in
            // In a fixed order, since both users may open rooms about each other's posts at the same time.
            for one in [inquirer, post.author].sorted() { try people.lock(one, in: transaction) }
            _ = try await store.open(
                Room(
                    id: .unsaved,
                    publicID: PublicID.random(),
                    app: .withsuhyeon,
                    first: inquirer,
                    second: post.author
                ),
                post: RoomPost(id: post.id, title: post.title, region: post.region, price: post.price),
                copies: (PublicID.random(), PublicID.random()),
                opener: nil,
                in: transaction
            )
        }
    }

    private func post(_ post: CompanionPostID, of author: AccountID) async throws -> CommunityAPI.CompanionPosts.Post? {
        let answer = try await community.post(
            CommunityAPI.CompanionPosts.path,
            CommunityAPI.CompanionPosts.Request(posts: [post]),
            as: CommunityAPI.CompanionPosts.self,
            repeatable: true
        )
        return answer.posts.first { $0.id == post && $0.author == author }
    }

    /// Whether one user has blocked the phone number of the other (contract 4.4).
    private func isBlocked(_ one: AccountID, _ other: AccountID) async throws -> Bool {
        let whoBlocked = AuthAPI.Blockers.self
        async let first = auth.get(AuthAPI.Blockers.path(one), as: whoBlocked)
        async let second = auth.get(AuthAPI.Blockers.path(other), as: whoBlocked)
        let (ones, others) = try await (first.accounts, second.accounts)
        return ones.contains(other) || others.contains(one)
    }
}
