import Apps
import Hummingbird
import ServiceKit
import Subway

/// Favorite routes. No app calls them yet; items and paging have the form of path histories (SeatCatcher contract 1.6,
/// call 20).
struct FavoriteRoutes {
    let favorites: Favorites
    private static let usualSize: Int64 = 10
    private static let sizes: ClosedRange<Int64> = 1...100

    struct FavoriteRequest: Decodable {
        var name: String
        var startStationId: StationID
        var endStationId: StationID

        func draft() throws -> FavoriteDraft {
            try FavoriteDraft(name: name, start: startStationId, end: endStationId)
        }
    }

    struct FavoriteResponse: Encodable {
        var id: FavoriteID
        var name: String
        var startStationId: StationID
        var startStationName: String
        var startline: String
        var endStationId: StationID
        var endStationName: String
        var endline: String

        init(_ favorite: Favorite) {
            self.id = favorite.id
            self.name = favorite.name
            self.startStationId = favorite.start.id
            self.startStationName = favorite.start.name
            self.startline = favorite.start.line
            self.endStationId = favorite.end.id
            self.endStationName = favorite.end.name
            self.endline = favorite.end.line
        }
    }

    struct PageResponse: Encodable {
        var favoriteInfoList: [FavoriteResponse]
        /// -1 on the last page.
        var nextCursor: Int64
        var last: Bool

        init(_ page: Favorites.Page) {
            self.favoriteInfoList = page.favorites.map(FavoriteResponse.init)
            self.nextCursor = page.hasMore ? page.favorites.last?.id.rawValue ?? -1 : -1
            self.last = !page.hasMore
        }
    }

    /// `GET /favorites?size=&cursor=` → 200, newest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let size = try request.intQuery("size") ?? Self.usualSize
        guard Self.sizes.contains(size) else {
            throw Problem(.badParameter, message: "size must be between 1 and \(Self.sizes.upperBound).")
        }
        let cursor = try request.intQuery("cursor").map(FavoriteID.init(rawValue:))
        return try .json(PageResponse(try await favorites.page(of: context.account, after: cursor, size: Int(size))))
    }

    /// `POST /favorites` → 201; 200 with the existing favorite between these stations.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let draft = try await request.json(FavoriteRequest.self, context).draft()
        let (favorite, isNew) = try await favorites.add(draft, of: context.account)
        return try .json(FavoriteResponse(favorite), status: isNew ? .created : .ok)
    }

    /// `GET /favorites/{id}` → 200; 403 for another user's, 404.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .json(FavoriteResponse(try await favorites.favorite(id: context.pathID("id"), of: context.account)))
    }

    /// `PUT /favorites/{id}` → 200 with the changed favorite.
    func change(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id: FavoriteID = try context.pathID("id")
        let draft = try await request.json(FavoriteRequest.self, context).draft()
        return try .json(FavoriteResponse(try await favorites.change(id: id, of: context.account, to: draft)))
    }

    /// `DELETE /favorites/{id}` → 204.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await favorites.delete(id: context.pathID("id"), of: context.account)
        return .empty(.noContent)
    }
}
