import Comments
import Hummingbird
import ServiceHost

/// What people say of posts of Seoul Culture, where nobody answers anybody (contract 2, call 18). Otherwise `CommentRoutes`
/// does.
struct CultureCommentRoutes {
    let comments: Comments

    /// `POST /v1/posts/{post_id}/comments` `{content}` → 200 with the comment. With an `Idempotency-Key` a repeated request
    /// makes no second one.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let post = try context.parameters.require("postId")
        let content = try await request.json(CommentChangeBody.self, context).content
        let draft = CommentDraft(content: content, requestKey: request.idempotencyKey)
        return try .json(CommentBody(await comments.create(draft, on: post, by: context.account)))
    }
}
