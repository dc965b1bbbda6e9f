import Contracts
import Hummingbird
import Profiles
import ServiceKit

/// Comments on Seoul Culture's posts, which have no replies (contract 2, call 18). The other routes are in
/// `CommentRoutes`.
struct CultureCommentRoutes {
    let comments: Comments<PostID>

    /// `POST /v1/posts/{post_id}/comments` `{content}` → 200 with the comment. Idempotent with an `Idempotency-Key`.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let content = try await request.json(CommentChangeBody.self, context).content
        let post = try comments.subjectID(parsing: context.parameters.require("postId"))
        let draft = CommentDraft(content: content, requestKey: request.idempotencyKey)
        return try .json(CommentBody(await comments.create(draft, on: post, by: context.account)))
    }
}
