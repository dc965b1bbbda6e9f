import Contracts
import Hummingbird
import Profiles
import ServiceKit

/// Comments on Anlaka's posts (contract 2.6, calls 49 to 51).
struct CommentRoutes {
    let comments: Comments<PostID>

    /// `POST /v1/posts/{post_id}/comments` `{parent_comment_id?, content}` → 200 with the comment. Idempotent with an
    /// `Idempotency-Key`.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(NewCommentBody.self, context)
        let post = try comments.subjectID(parsing: context.parameters.require("postId"))
        let draft = try body.draft(in: comments, requestKey: request.idempotencyKey)
        return try .json(CommentBody(await comments.create(draft, on: post, by: context.account)))
    }

    /// `PUT /v1/posts/{post_id}/comments/{comment_id}` `{content}` → 200 with the comment; 445 for another user's.
    func change(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let content = try await request.json(CommentChangeBody.self, context).content
        let (post, id) = try ids(context)
        return try .json(CommentBody(await comments.change(id, on: post, to: content, by: context.account)))
    }

    /// `DELETE /v1/posts/{post_id}/comments/{comment_id}` → 200, empty; 445 for another user's, 404 when it does not
    /// exist.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (post, id) = try ids(context)
        try await comments.delete(id, on: post, by: context.account)
        return .empty(.ok)
    }

    private func ids(_ context: SignedInContext) throws -> (post: PublicID, comment: PublicID) {
        (
            try PublicID(parsing: context.parameters.require("postId"), else: CommentError.notFound),
            try PublicID(parsing: context.parameters.require("commentId"), else: CommentError.notFound)
        )
    }
}
