import Apps
import Contracts
import Hummingbird
import ServiceKit
import Values

/// Bulk imports of listings, for other services and operators' tools.
struct ImportRoutes {
    let listings: Listings

    /// Bytes: 1,000 listings with the longest Korean texts.
    private static let bodyLimit = 32 << 20

    /// `POST /internal/listings` (`EstateAPI.Import`) → 200 with the numbers of new and existing listings; 400 naming
    /// the listing and its invalid field; 404 for an unknown creator. Creates all or none.
    func create(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        var context = context
        context.bodyLimit = Self.bodyLimit
        let body = try await request.json(EstateAPI.Import.self, context)
        guard body.listings.count <= EstateAPI.Import.limit else {
            throw Problem(.malformed, message: "listings must have \(EstateAPI.Import.limit) entries or fewer.")
        }
        let drafts = try body.listings.enumerated().map { index, listing in
            do {
                return try listing.draft()
            } catch EstateError.rule(let what) {
                throw EstateError.ruleOfListing(index, what)
            }
        }
        let creator = try PublicID(parsing: body.creator, else: EstateError.creatorNotFound)
        let imported = try await listings.importAll(drafts, by: creator)
        return try .json(EstateAPI.Imported(created: imported.created, kept: imported.kept))
    }
}

extension EstateAPI.NewListing {
    /// - Throws: `EstateError.rule` when the date or the position is invalid.
    fileprivate func draft() throws(EstateError) -> ListingDraft {
        guard let builtOn = CivilDate(builtYear) else { throw .rule("built_year must be a day: yyyy-MM-dd.") }
        guard let place = Coordinate(checking: latitude, longitude) else {
            throw .rule("latitude must be from -90 to 90, and longitude from -180 to 180.")
        }
        return ListingDraft(
            category: category,
            title: title,
            introduction: introduction,
            description: description,
            thumbnails: thumbnails,
            reservationPrice: reservationPrice,
            deposit: deposit,
            monthlyRent: monthlyRent,
            maintenanceFee: maintenanceFee,
            builtOn: builtOn,
            area: area,
            parkingCount: parkingCount,
            floors: floors,
            options: ListingOptions(options),
            isSafe: isSafe,
            isRecommended: isRecommended,
            place: place,
            region: region,
            reference: reference
        )
    }
}

extension ListingOptions {
    fileprivate init(_ options: EstateAPI.Options) {
        self.init()
        description = options.description
        for item in options.items {
            switch item {
            case .refrigerator: refrigerator = true
            case .washer: washer = true
            case .airConditioner: airConditioner = true
            case .closet: closet = true
            case .shoeRack: shoeRack = true
            case .microwave: microwave = true
            case .sink: sink = true
            case .tv: tv = true
            }
        }
    }
}
