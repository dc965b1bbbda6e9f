import Contracts
import Hummingbird
import Profiles
import ServiceKit

/// Single posts, and posts by author or like (Anlaka contract 2.6, calls 40 and 43 to 48).
struct PostRoutes {
    let posts: Posts
    let likes: Likes
    let comments: Comments<PostID>

    struct LikeStatus: Codable {
        var isLiked: Bool

        enum CodingKeys: String, CodingKey {
            case isLiked = "like_status"
        }
    }

    /// `POST /v1/posts` `{category, title, content, longitude, latitude, files}` → 200 with the post. Idempotent with
    /// an `Idempotency-Key`.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let draft = try await request.json(PostRequest.self, context).draft(requestKey: request.idempotencyKey)
        return try await answer(posts.create(draft, in: .anlaka, by: context.account))
    }

    /// `GET /v1/posts/{post_id}` → 200 with the post and its comments, oldest first.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.postID()
        return try await answer(posts.post(id, in: .anlaka, for: context.account))
    }

    /// `PUT /v1/posts/{post_id}` → 200 with the changed post; 445 for another user's.
    func change(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let draft = try await request.json(PostChange.self, context).draft()
        let id = try context.postID()
        return try await answer(posts.change(id, to: draft, in: .anlaka, by: context.account))
    }

    /// `DELETE /v1/posts/{post_id}` → 200, empty; 445 for another user's, 404 when it does not exist.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await posts.delete(context.postID(), in: .anlaka, by: context.account)
        return .empty(.ok)
    }

    /// `POST /v1/posts/{post_id}/like` `{like_status}` → 200 with the same; idempotent. 404 for an unknown post.
    func like(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let status = try await request.json(LikeStatus.self, context)
        let id = try context.postID()
        try await likes.set(status.isLiked, id, in: .anlaka, by: context.account)
        return try .json(status)
    }

    /// `GET /v1/posts/users/{user_id}?category&limit&next` → 200 `{data: […], next_cursor}`, newest first.
    func written(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (limit, cursor) = try request.pageQuery(usual: 5)
        let page = try await posts.written(
            by: PublicID(rawValue: context.parameters.require("userId")),
            in: .anlaka,
            of: try request.category().map { [$0] } ?? [],
            for: context.account,
            after: cursor,
            limit: limit
        )
        return try .json(PostListBody(page))
    }

    /// `GET /v1/posts/likes/me?category&limit&next` → 200 `{data: […], next_cursor}`, latest like first.
    func liked(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (limit, cursor) = try request.pageQuery(usual: 5)
        let page = try await posts.liked(
            by: context.account,
            of: try request.category().map { [$0] } ?? [],
            after: cursor,
            limit: limit
        )
        return try .json(PostListBody(page))
    }

    private func answer(_ post: Post) async throws -> Response {
        try .json(PostBody(post, threads: await comments.threads(on: post.id)))
    }
}
