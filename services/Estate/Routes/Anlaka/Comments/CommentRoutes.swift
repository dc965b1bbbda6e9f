import Contracts
import HTTPTypes
import Hummingbird
import Profiles
import ServiceKit

/// Comments on listings (Anlaka contract 2.2, call 24).
struct CommentRoutes {
    let comments: Comments<ListingID>

    struct ListResponse: Encodable {
        var data: [CommentBody]
        var nextCursor: String

        enum CodingKeys: String, CodingKey {
            case data
            case nextCursor = "next_cursor"
        }
    }

    /// `POST /v1/estates/{estate_id}/comments` `{parent_comment_id?, content}` → 200 with the comment. Idempotent with
    /// an `Idempotency-Key`.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(NewCommentBody.self, context)
        let listing = try comments.subjectID(parsing: context.parameters.require("estateId"))
        let draft = try body.draft(in: comments, requestKey: request.idempotencyKey)
        return try .json(CommentBody(await comments.create(draft, on: listing, by: context.account)))
    }

    /// `GET /v1/estates/{estate_id}/comments?limit&next` → 200 `{data: […], next_cursor}`, newest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (limit, cursor) = try request.pageQuery(usual: 5)
        let listing = try comments.subjectID(parsing: context.parameters.require("estateId"))
        let page = try await comments.page(on: listing, for: context.account, after: cursor, limit: limit)
        return try .json(ListResponse(data: page.items.map(CommentBody.init), nextCursor: page.next.text))
    }

    /// `PUT /v1/estates/{estate_id}/comments/{comment_id}` `{content}` → 200 with the comment; 445 for another user's.
    func change(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let content = try await request.json(CommentChangeBody.self, context).content
        let (listing, id) = try ids(context)
        return try .json(CommentBody(await comments.change(id, on: listing, to: content, by: context.account)))
    }

    /// `DELETE /v1/estates/{estate_id}/comments/{comment_id}` → 200, empty; 445 for another user's, 404 when it does
    /// not exist.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (listing, id) = try ids(context)
        try await comments.delete(id, on: listing, by: context.account)
        return .empty(.ok)
    }

    private func ids(_ context: SignedInContext) throws -> (listing: PublicID, comment: PublicID) {
        (
            try PublicID(parsing: context.parameters.require("estateId"), else: CommentError.notFound),
            try PublicID(parsing: context.parameters.require("commentId"), else: CommentError.notFound)
        )
    }
}
