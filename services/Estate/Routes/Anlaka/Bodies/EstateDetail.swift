import Apps
import Profiles
import Values

/// All fields of a listing (Anlaka contract 1.7, EstateDetail). Instants are under both spellings of their keys, as in
/// the original.
struct EstateDetail: Encodable {
    private let listing: Listing

    init(_ listing: Listing) {
        self.listing = listing
    }

    enum CodingKeys: String, CodingKey {
        case estateID = "estate_id"
        case category, title, introduction, thumbnails, description, deposit, area, floors, options, geolocation, region
        case creator, comments, createdAt, updatedAt
        case reservationPrice = "reservation_price"
        case monthlyRent = "monthly_rent"
        case builtYear = "built_year"
        case maintenanceFee = "maintenance_fee"
        case parkingCount = "parking_count"
        case isLiked = "is_liked"
        case isReserved = "is_reserved"
        case likeCount = "like_count"
        case isSafe = "is_safe_estate"
        case isRecommended = "is_recommended"
        case createdAtToo = "created_at"
        case updatedAtToo = "updated_at"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let summary = listing.summary
        try container.encode(summary.publicID, forKey: .estateID)
        try container.encode(summary.category, forKey: .category)
        try container.encode(summary.title, forKey: .title)
        try container.encode(summary.introduction, forKey: .introduction)
        try container.encode(listing.reservationPrice, forKey: .reservationPrice)
        try container.encode(summary.thumbnails, forKey: .thumbnails)
        try container.encode(listing.description, forKey: .description)
        try container.encode(summary.deposit, forKey: .deposit)
        try container.encode(summary.monthlyRent, forKey: .monthlyRent)
        try container.encode(summary.builtOn.description, forKey: .builtYear)
        try container.encode(listing.maintenanceFee, forKey: .maintenanceFee)
        try container.encode(summary.area, forKey: .area)
        try container.encode(listing.parkingCount, forKey: .parkingCount)
        try container.encode(summary.floors, forKey: .floors)
        try container.encode(listing.options, forKey: .options)
        try container.encode(Geolocation(summary.position.seen), forKey: .geolocation)
        try container.encodeIfPresent(summary.region, forKey: .region)
        try container.encode(UserInfo(listing.creator), forKey: .creator)
        try container.encode(listing.isLiked, forKey: .isLiked)
        try container.encode(listing.isReserved, forKey: .isReserved)
        try container.encode(summary.likeCount, forKey: .likeCount)
        try container.encode(summary.isSafe, forKey: .isSafe)
        try container.encode(summary.isRecommended, forKey: .isRecommended)
        // The app decodes an array of texts here, and fails on objects; comments have their own route.
        try container.encode([String](), forKey: .comments)
        let (created, updated) = (SeSACInstant(summary.createdAt), SeSACInstant(summary.updatedAt))
        try container.encode(created, forKey: .createdAt)
        try container.encode(updated, forKey: .updatedAt)
        try container.encode(created, forKey: .createdAtToo)
        try container.encode(updated, forKey: .updatedAtToo)
    }
}
