import AppWire
import HTTPTypes
import Hummingbird
import Paging
import ServiceHost

/// Posts of Seoul Culture: reviews, and the liked events that it keeps as posts (contract 2, calls 10 to 15 and 17; 4.2, 4.3).
struct CulturePostRoutes {
    let posts: CulturePosts

    /// So many product ids one list may be asked for.
    private static let productLimit = 50
    /// Posts of a page, unless it says how many.
    private static let usualLimit = 10

    /// `POST /v1/posts` → 200 with the post. With an `Idempotency-Key` a repeated request makes no second one; an event that
    /// was liked before is answered as it was liked first.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(CulturePostRequest.self, context)
        let draft = body.draft(requestKey: request.idempotencyKey)
        return try .json(CulturePostBody(await posts.create(draft, by: context.account)))
    }

    /// `GET /v1/posts/{post_id}` → 200; 410 for what is not there, or no id, or somebody else's liked event.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.parameters.require("postId")
        return try .json(CulturePostBody(await posts.post(id, for: context.account)))
    }

    /// `PUT /v1/posts/{post_id}` → 200 with the post as it is now: what is sent replaces what was; 445 for another's.
    func change(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.parameters.require("postId")
        let draft = try await request.json(CulturePostRequest.self, context).draft()
        return try .json(CulturePostBody(await posts.change(id, to: draft, by: context.account)))
    }

    /// `DELETE /v1/posts/{post_id}` → 200, empty; 445 for another's, 410 for what is gone.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await posts.delete(context.parameters.require("postId"), by: context.account)
        return .empty(.ok)
    }

    /// `GET /v1/posts?next&limit&product_id` → 200, the newest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (limit, cursor) = try request.pageQuery(usual: Self.usualLimit)
        let products = try Self.products(request)
        let page = try await posts.newest(of: products, for: context.account, after: cursor, limit: limit)
        return try .json(CulturePostListBody(page))
    }

    /// `GET /v1/posts/users/{user_id}?next&limit&product_id` → 200, the newest first; empty for who is not there. One's own
    /// without a product id has reviews and liked events.
    func written(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (limit, cursor) = try request.pageQuery(usual: Self.usualLimit)
        let page = try await posts.written(
            by: context.parameters.require("userId"),
            of: Self.products(request),
            for: context.account,
            after: cursor,
            limit: limit
        )
        return try .json(CulturePostListBody(page))
    }

    /// `GET /v1/posts/likes/me?next&limit&product_id` → 200, the latest like first.
    func liked(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await liked(request, context, kind: 1)
    }

    /// `GET /v1/posts/likes-2/me` → 200, the same for the second kind of likes.
    func likedOtherwise(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await liked(request, context, kind: 2)
    }

    private func liked(_ request: Request, _ context: SignedInContext, kind: Int16) async throws -> Response {
        let (limit, cursor) = try request.pageQuery(usual: Self.usualLimit)
        let products = try Self.products(request)
        let page = try await posts.liked(
            by: context.account,
            kind: kind,
            of: products,
            after: cursor,
            limit: limit
        )
        return try .json(CulturePostListBody(page))
    }

    /// `GET /v1/posts/hashtags?hashTag&next&limit&product_id` → 200, the newest first; the whole word counts, with or without
    /// its `#`.
    func tagged(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (limit, cursor) = try request.pageQuery(usual: Self.usualLimit)
        let text = request.query("hashTag") ?? ""
        let tag = text.first == "#" ? String(text.dropFirst()) : text
        guard !tag.isEmpty else { throw Problem(.badParameter, message: "hashTag is required.") }
        let products = try Self.products(request)
        let page = try await posts.tagged(tag, of: products, for: context.account, after: cursor, limit: limit)
        return try .json(CulturePostListBody(page))
    }

    /// Each product id once, compared by bytes; an empty one filters nothing.
    private static func products(_ request: Request) throws -> [String] {
        var seen: Set<[UInt8]> = []
        let products = request.uri.queryParameters.getAll("product_id").filter {
            !$0.isEmpty && seen.insert(Array($0.utf8)).inserted
        }
        guard products.count <= productLimit else {
            throw Problem(.badParameter, message: "product_id must not be given more than \(productLimit) times.")
        }
        return products
    }
}
