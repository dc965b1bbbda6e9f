import Apps
import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// Posts of Seoul Culture: reviews, and liked events, which the app stores as posts (contract 2, calls 10 to 15 and 17;
/// 4.2, 4.3).
struct CulturePostRoutes {
    let posts: CulturePosts

    /// Maximum number of product IDs per request.
    private static let productLimit = 50
    /// Default page size.
    private static let usualLimit = 10

    /// `POST /v1/posts` → 200 with the post. Idempotent with an `Idempotency-Key`; an event that was liked before gives
    /// its first like.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(CulturePostRequest.self, context)
        let draft = body.draft(requestKey: request.idempotencyKey)
        return try .json(CulturePostBody(await posts.create(draft, by: context.account)))
    }

    /// `GET /v1/posts/{post_id}` → 200; 410 for an unknown or invalid ID, and for another user's liked event.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.postID()
        return try .json(CulturePostBody(await posts.post(id, for: context.account)))
    }

    /// `PUT /v1/posts/{post_id}` → 200 with the changed post; absent fields do not change. 445 for another user's.
    func change(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let draft = try await request.json(CulturePostRequest.self, context).draft()
        let id = try context.postID()
        return try .json(CulturePostBody(await posts.change(id, to: draft, by: context.account)))
    }

    /// `DELETE /v1/posts/{post_id}` → 200, empty; 445 for another user's, 410 when it does not exist.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await posts.delete(context.postID(), by: context.account)
        return .empty(.ok)
    }

    /// `GET /v1/posts?next&limit&product_id` → 200, newest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (limit, cursor) = try request.pageQuery(usual: Self.usualLimit)
        let products = try Self.products(request)
        let page = try await posts.newest(of: products, for: context.account, after: cursor, limit: limit)
        return try .json(CulturePostListBody(page))
    }

    /// `GET /v1/posts/users/{user_id}?next&limit&product_id` → 200, newest first; empty for an unknown user. The
    /// caller's own list without a product ID has reviews and liked events.
    func written(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (limit, cursor) = try request.pageQuery(usual: Self.usualLimit)
        let page = try await posts.written(
            by: PublicID(rawValue: context.parameters.require("userId")),
            of: Self.products(request),
            for: context.account,
            after: cursor,
            limit: limit
        )
        return try .json(CulturePostListBody(page))
    }

    /// `GET /v1/posts/likes/me?next&limit&product_id` → 200, latest like first.
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

    /// `GET /v1/posts/hashtags?hashTag&next&limit&product_id` → 200, newest first; matches the whole word, with or
    /// without its `#`.
    func tagged(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (limit, cursor) = try request.pageQuery(usual: Self.usualLimit)
        let text = request.query("hashTag") ?? ""
        let tag = text.first == "#" ? String(text.dropFirst()) : text
        guard !tag.isEmpty else { throw Problem(.badParameter, message: "hashTag is required.") }
        let products = try Self.products(request)
        let page = try await posts.tagged(tag, of: products, for: context.account, after: cursor, limit: limit)
        return try .json(CulturePostListBody(page))
    }

    /// The product IDs without duplicates, compared by bytes; empty ones are ignored.
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
