import Contracts
import Hummingbird
import ServiceKit

/// Likes (Anlaka contract 2.2, calls 16 and 22).
struct LikeRoutes {
    let likes: Likes

    struct LikeStatus: Codable {
        var isLiked: Bool

        enum CodingKeys: String, CodingKey {
            case isLiked = "like_status"
        }
    }

    /// `POST /v1/estates/{estate_id}/like` `{like_status}` → 200 with the same; idempotent. 404 for an unknown listing.
    func set(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let status = try await request.json(LikeStatus.self, context)
        let id = try PublicID(parsing: context.parameters.require("estateId"), else: EstateError.listingNotFound)
        try await likes.set(status.isLiked, id, by: context.account)
        return try .json(status)
    }

    /// `GET /v1/estates/likes/me?limit&next&category…` → 200 `{data: […], next_cursor}`, latest like first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (limit, cursor) = try request.pageQuery(usual: 5)
        let filter = try request.listingFilter()
        let page = try await likes.page(of: context.account, filter, after: cursor, limit: limit)
        return .estates(page.items.map { ($0, nil) }, next: page.next.text)
    }
}
