import Apps
import Hummingbird
import ServiceKit

/// Posts by position and by title (Anlaka contract 2.6, calls 41 and 42).
struct FindRoutes {
    let posts: Posts

    /// `GET /v1/posts/geolocation?longitude&latitude&maxDistance&category&order&limit&next` → 200 `{data: […],
    /// next_cursor}`. `order` (alias `order_by`) is `createdAt`, the default, or `likes`.
    func nearby(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let order = try request.order()
        let (limit, cursor) = try request.pageQuery(usual: 5, isRanked: order == .likes)
        let query = NearbyQuery(
            circle: Circle(centre: try request.placeQuery(), radius: try request.radius()),
            category: try request.category(),
            order: order,
            cursor: cursor,
            limit: limit
        )
        return try .json(PostListBody(await posts.nearby(query, for: context.account)))
    }

    /// `GET /v1/posts/search?title` → 200 `{data: […]}`, the newest 100 posts whose titles contain the text.
    func search(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let title = request.query("title") else { throw Problem(.badParameter, message: "title is required.") }
        return try .json(PostListBody(await posts.search(title: title, for: context.account)))
    }
}

extension Request {
    /// `order` or `order_by`; newest first by default.
    fileprivate func order() throws -> NearbyOrder {
        let named = [query("order"), query("order_by")].compactMap(\.self).filter { !$0.isEmpty }
        guard let name = named.first else { return .newest }
        guard let order = NearbyOrder(rawValue: name) else {
            throw Problem(.badParameter, message: "order must be createdAt or likes.")
        }
        return order
    }

    /// `maxDistance` in metres.
    fileprivate func radius() throws -> Double {
        let radius = try numberQuery("maxDistance") ?? Posts.usualRadius
        guard (0...Posts.radiusLimit).contains(radius) else {
            throw Problem(.badParameter, message: "maxDistance must be from 0 to \(Int(Posts.radiusLimit)) metres.")
        }
        return radius
    }
}
