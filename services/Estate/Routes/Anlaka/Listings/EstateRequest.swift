import Apps
import Values

/// A new listing (Anlaka contract 2.2, call 23).
struct EstateRequest: Decodable {
    var category: String
    var title: String
    var introduction: String
    var reservationPrice: Int64
    var thumbnails: [String]
    var description: String
    var deposit: Int64
    var monthlyRent: Int64
    var builtYear: String
    var maintenanceFee: Int64
    var area: Double
    var parkingCount: Int
    var floors: Int
    var isSafe: Bool
    var isRecommended: Bool
    var options: ListingOptions?
    var longitude: Double
    var latitude: Double

    enum CodingKeys: String, CodingKey {
        case category, title, introduction, thumbnails, description, deposit, area, floors, options, longitude, latitude
        case reservationPrice = "reservation_price"
        case monthlyRent = "monthly_rent"
        case builtYear = "built_year"
        case maintenanceFee = "maintenance_fee"
        case parkingCount = "parking_count"
        case isSafe = "is_safe_estate"
        case isRecommended = "is_recommended"
    }

    /// - Parameter reference: Idempotency key of the request, if any.
    /// - Throws: `Problem` (400) when the date or the position is invalid.
    func draft(reference: String?) throws -> ListingDraft {
        guard let builtOn = CivilDate(builtYear) else {
            throw Problem(.malformed, message: "built_year must be a day: yyyy-MM-dd.")
        }
        guard let place = Coordinate(checking: latitude, longitude) else {
            throw Problem(.malformed, message: "longitude must be from -180 to 180, and latitude from -90 to 90.")
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
            options: options ?? ListingOptions(),
            isSafe: isSafe,
            isRecommended: isRecommended,
            place: place,
            reference: reference
        )
    }
}
