import Apps
import Hummingbird
import NIOCore
import ServiceKit
import Values

/// Listings by position (Anlaka contract 2.2, call 17; 4.1, 4.2).
struct MapRoutes {
    let map: ListingMap

    /// `GET /v1/estates/geolocation?longitude&latitude&maxDistance&category?…` → 200 `{data: […]}` with `distance`,
    /// nearest first, without duplicates.
    func nearest(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let centre = try request.placeQuery()
        let radius = try request.requiredNumber("maxDistance")
        guard radius >= 0 else { throw Problem(.badParameter, message: "maxDistance must be 0 metres or more.") }
        let found = try await map.nearest(centre, radius: radius, request.listingFilter(), for: context.account)
        return .estates(found.map { ($0.listing, $0.distance) })
    }
}
