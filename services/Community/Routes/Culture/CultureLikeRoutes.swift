import Contracts
import Hummingbird
import ServiceKit

/// The two kinds of likes of Seoul Culture's posts (contract 2, call 16).
struct CultureLikeRoutes {
    let likes: Likes

    /// `POST /v1/posts/{post_id}/like` `{like_status}` → 200 with the same; idempotent. 410 for an unknown post.
    func like(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await set(request, context, kind: 1)
    }

    /// `POST /v1/posts/{post_id}/like-2` → 200, the second kind.
    func likeOtherwise(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await set(request, context, kind: 2)
    }

    private func set(_ request: Request, _ context: SignedInContext, kind: Int16) async throws -> Response {
        let status = try await request.json(PostRoutes.LikeStatus.self, context)
        let id = try context.postID()
        try await likes.set(status.isLiked, id, kind: kind, in: .culture, by: context.account)
        return try .json(status)
    }
}
