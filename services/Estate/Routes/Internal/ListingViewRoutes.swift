import Apps
import Contracts
import Hummingbird
import Profiles
import ServiceKit
import Values

/// Listings for other services.
struct ListingViewRoutes {
    let listings: Listings

    /// `GET /internal/listings?ids=a,b,…&viewer=ACCOUNT` → 200 with `EstateAPI.Listings`; 400 for more than 100 IDs or
    /// an invalid viewer.
    func list(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let ids = request.query("ids")?.split(separator: ",").map(String.init) else {
            throw Problem(.badParameter, message: "ids is required.")
        }
        guard ids.count <= EstateAPI.Listings.limit else {
            throw Problem(.badParameter, message: "ids must have \(EstateAPI.Listings.limit) entries or fewer.")
        }
        let viewer = try request.intQuery("viewer").map(AccountID.init(rawValue:))
        guard viewer?.rawValue ?? 1 > 0 else { throw Problem(.badParameter, message: "viewer must be an account.") }
        let found = try await listings.listings(ids.compactMap(PublicID.init(rawValue:)), for: viewer)
        return try .json(EstateAPI.Listings(listings: found.map(EstateAPI.Listing.init)))
    }
}

extension EstateAPI.Listing {
    fileprivate init(_ listing: Listing) {
        let (summary, place) = (listing.summary, listing.summary.position.seen)
        self.init(
            id: summary.publicID,
            category: summary.category,
            title: summary.title,
            introduction: summary.introduction,
            thumbnails: summary.thumbnails,
            reservationPrice: listing.reservationPrice,
            deposit: summary.deposit,
            monthlyRent: summary.monthlyRent,
            builtYear: summary.builtOn.description,
            area: summary.area,
            floors: summary.floors,
            latitude: place.latitude,
            longitude: place.longitude,
            creator: EstateAPI.Creator(account: listing.creator.account, publicID: listing.creator.publicID),
            isReserved: listing.isReserved,
            createdAt: summary.createdAt,
            updatedAt: summary.updatedAt
        )
    }
}
