import Contracts
import FoundationEssentials
import InternalClient
import People
import Postgres

/// With Suhyeon's rooms (contract 2.5): one for everybody who asks about a companion post, born with the first message, gone with
/// the post.
struct CompanionRooms: Sendable {
    let database: PostgresClient
    let people: People
    let withdrawal: Withdrawal
    let auth: InternalClient
    let community: InternalClient
    private let store = RoomStore()

    init(
        database: PostgresClient,
        people: People,
        withdrawal: Withdrawal,
        auth: InternalClient,
        community: InternalClient
    ) {
        self.database = database
        self.people = people
        self.withdrawal = withdrawal
        self.auth = auth
        self.community = community
    }

    /// The room in which somebody asks the author of a companion post, made if there is none.
    ///
    /// - Throws: `ChatError.roomNotFound` where there is no such post of this author, `.blocked` where there is no room yet and
    ///   one of the two has blocked the other's phone; `PersonUnknown`, `InternalCallError`.
    func room(about post: Int64, by inquirer: Int64, with author: Int64) async throws -> Room {
        if let (room, hasMessages) = try await store.room(post: post, inquirer: inquirer, in: database), hasMessages {
            guard room.second == author else { throw ChatError.roomNotFound }
            return room
        }
        let told = try await self.post(post, of: author)
        guard inquirer != author, let told else { throw ChatError.roomNotFound }
        guard try await !isBlocked(inquirer, author) else { throw ChatError.blocked }
        try await people.person(inquirer)
        try await people.person(author)
        try await open(told, by: inquirer)
        // Who deletes a post tells of it later: what was made meanwhile for one that is gone, goes with it.
        guard try await self.post(post, of: author) != nil else {
            try await database.transaction { try await withdrawal.forget(post: post, in: $0) }
            throw ChatError.roomNotFound
        }
        guard let (room, _) = try await store.room(post: post, inquirer: inquirer, in: database) else {
            throw ChatError.roomNotFound
        }
        return room
    }

    /// How the two sides of a room are called: that of who asks, and the author's.
    ///
    /// - Throws: `ChatError.roomNotFound`.
    func copies(post: Int64, inquirer: Int64) async throws -> (inquirers: String, authors: String) {
        guard let (inquirers, authors) = try await store.copies(post: post, inquirer: inquirer, in: database) else {
            throw ChatError.roomNotFound
        }
        return (inquirers, authors)
    }

    private func open(_ post: CommunityAPI.CompanionPosts.Post, by inquirer: Int64) async throws {
        try await database.transaction { transaction in
            // In one order, since each of the two may ask about a post of the other.
            for one in [inquirer, post.author].sorted() { try await people.lock(one, in: transaction) }
            _ = try await store.open(
                Room(
                    id: 0,
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

    private func post(_ post: Int64, of author: Int64) async throws -> CommunityAPI.CompanionPosts.Post? {
        let answer = try await community.post(
            CommunityAPI.CompanionPosts.path,
            CommunityAPI.CompanionPosts.Request(posts: [post]),
            as: CommunityAPI.CompanionPosts.self,
            repeatable: true
        )
        return answer.posts.first { $0.id == post && $0.author == author }
    }

    /// Whether one of the two has blocked the phone number of the other (contract 4.4).
    private func isBlocked(_ one: Int64, _ other: Int64) async throws -> Bool {
        let whoBlocked = AuthAPI.Blockers.self
        async let first = auth.get(AuthAPI.Blockers.path(one), as: whoBlocked)
        async let second = auth.get(AuthAPI.Blockers.path(other), as: whoBlocked)
        let (ones, others) = try await (first.accounts, second.accounts)
        return ones.contains(other) || others.contains(one)
    }
}
