import Contracts
import FoundationEssentials
import Postgres
import Profiles
import ServiceKit

/// Seoul Culture's posts: reviews, and liked events, which the app treats as posts and which only their owner sees
/// (Culture contract 4.2, 4.3). `CulturePosts+lists.swift` has the lists.
struct CulturePosts: Sendable {
    let database: PostgresClient
    let people: People
    let posts: Posts
    let favourites: FavoriteEvents
    let comments: Comments<PostID>
    private let reactors = ReactorStore()

    /// The product ID of reviews.
    static let review = "ksm_post"
    /// Maximum number of comments with a post in a list, and with a single post.
    static let commentLimits = (list: 50, alone: 1000)

    /// Creates a review or likes an event, depending on the product ID.
    ///
    /// - Throws: `CommunityError.rule`, `PersonUnknown`.
    func create(_ draft: PostDraft, by account: AccountID) async throws -> CulturePost {
        let person = try await people.person(account)
        if FavoriteEvents.isFavourite(draft.category, of: person) {
            return CulturePost(post: try await favourites.create(draft, by: account).post(by: person))
        }
        guard [draft.title, draft.content].contains(where: { $0?.isEmpty == false }) || draft.files?.isEmpty == false
        else { throw CommunityError.rule("One of title, content and files is required.") }
        return try await alone(try await posts.create(draft, in: .culture, by: account), for: account)
    }

    /// Changes a review.
    ///
    /// - Throws: `CommunityError.rule`, also for a liked event, `.postNotFound`, `.notYours`, `PersonUnknown`.
    func change(_ publicID: PublicID, to draft: PostDraft, by account: AccountID) async throws -> CulturePost {
        let person = try await people.person(account)
        guard !FavoriteEvents.isFavourite(draft.category, of: person) else {
            throw CommunityError.rule("product_id of a post cannot become that of a liked event.")
        }
        guard try await favourites.favourite(publicID, of: account) == nil else {
            throw CommunityError.rule("post_id is that of a liked event, which cannot be changed.")
        }
        return try await alone(try await posts.change(publicID, to: draft, in: .culture, by: account), for: account)
    }

    /// Deletes a review or a like of an event.
    ///
    /// - Throws: `CommunityError.postNotFound`, `.notYours`.
    func delete(_ publicID: PublicID, by account: AccountID) async throws {
        guard try await !favourites.delete(publicID, by: account) else { return }
        try await posts.delete(publicID, in: .culture, by: account)
    }

    /// - Throws: `CommunityError.postNotFound`, also for another user's liked event.
    func post(_ publicID: PublicID, for account: AccountID) async throws -> CulturePost {
        do {
            return try await alone(try await posts.post(publicID, in: .culture, for: account), for: account)
        } catch CommunityError.postNotFound {
            guard let favourite = try await favourites.favourite(publicID, of: account) else {
                throw CommunityError.postNotFound
            }
            return CulturePost(post: favourite.post(by: try await people.person(account)))
        }
    }

    private func alone(_ post: Post, for account: AccountID) async throws -> CulturePost {
        let shown = try await shown([post], for: account, comments: Self.commentLimits.alone)
        guard let post = shown.first else { throw CommunityError.postNotFound }
        return post
    }

    /// Adds likes, buyers and comments to posts: one statement of each kind for all posts.
    func shown(_ posts: [Post], for account: AccountID, comments limit: Int) async throws -> [CulturePost] {
        guard !posts.isEmpty else { return [] }
        let (ids, viewer) = (posts.map(\.id), try await people.person(account).publicID)
        async let likers = reactors.likers(of: ids, for: account, in: database)
        async let buyers = reactors.buyers(of: ids, for: account, in: database)
        async let newest = comments.newest(on: ids, limit: limit)
        async let counts = comments.counts(on: ids)
        let (likes, paid, said, count) = (try await likers, try await buyers, try await newest, try await counts)
        return posts.map { post in
            CulturePost(
                post: post,
                likes: likes[post.id]?[1]?.people(with: viewer) ?? [],
                otherLikes: likes[post.id]?[2]?.people(with: viewer) ?? [],
                comments: said[post.id] ?? [],
                commentCount: count[post.id] ?? 0,
                buyers: paid[post.id]?.people(with: viewer) ?? []
            )
        }
    }
}
