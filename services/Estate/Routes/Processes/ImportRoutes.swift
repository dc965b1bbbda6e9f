import AppWire
import CivilTime
import Contracts
import Geography
import Hummingbird
import ServiceHost

/// Many listings at once, for other processes of ours and for operators' tools.
struct ImportRoutes {
    let listings: Listings

    /// Bytes: a thousand listings with the longest texts in Korean.
    private static let bodyLimit = 32 << 20

    /// `POST /internal/listings` (`EstateAPI.Import`) → 200 with how many were made; 400 naming what is wrong with which; 404
    /// for a creator who is not there. Nothing is made unless all are.
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
        let imported = try await listings.importAll(drafts, by: body.creator)
        return try .json(EstateAPI.Imported(created: imported.created, kept: imported.kept))
    }
}

extension EstateAPI.NewListing {
    /// - Throws: `EstateError.rule` for what is no day, or no place.
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
