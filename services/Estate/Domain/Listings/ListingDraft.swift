import Files
import FoundationEssentials
import Values

/// A listing to be created (Anlaka contract 2.2, call 23).
struct ListingDraft: Sendable, Equatable {
    var category: String
    var title: String
    var introduction: String
    var description: String
    var thumbnails: [String]
    var reservationPrice: Int64
    var deposit: Int64
    var monthlyRent: Int64
    var maintenanceFee: Int64
    var builtOn: CivilDate
    var area: Double
    var parkingCount: Int
    var floors: Int
    var options: ListingOptions
    var isSafe: Bool
    var isRecommended: Bool
    var place: Coordinate
    /// The name of the region, if it is known.
    var region: String?
    /// Identifier chosen by the creator, for deduplication.
    var reference: String?

    static let thumbnailLimit = 10
    /// Won; 10¹².
    static let priceLimit: Int64 = 1_000_000_000_000

    /// - Throws: `EstateError.rule` for the first invalid field.
    func check() throws(EstateError) {
        try Self.check(category, "category", limit: 20)
        try Self.check(title, "title", limit: 100)
        try Self.check(introduction, "introduction", limit: 200, mayBeBlank: true)
        try Self.check(description, "description", limit: 5000, mayBeBlank: true)
        if let text = options.description { try Self.check(text, "options.description", limit: 500, mayBeBlank: true) }
        if let region { try Self.check(region, "region", limit: 50) }
        if let reference { try Self.check(reference, "reference", limit: 200) }
        guard thumbnails.count <= Self.thumbnailLimit else {
            throw .rule("thumbnails must have \(Self.thumbnailLimit) entries or fewer.")
        }
        guard thumbnails.allSatisfy(Pictures.isPath) else {
            throw .rule(Listings.foreignThumbnails)
        }
        for (name, price) in [
            ("reservation_price", reservationPrice), ("deposit", deposit), ("monthly_rent", monthlyRent),
            ("maintenance_fee", maintenanceFee),
        ] {
            guard (0...Self.priceLimit).contains(price) else {
                throw .rule("\(name) must be from 0 to \(Self.priceLimit) won.")
            }
        }
        guard area > 0, area <= 100_000 else { throw .rule("area must be above 0 and at most 100000 square metres.") }
        guard (0...10_000).contains(parkingCount) else { throw .rule("parking_count must be from 0 to 10000.") }
        guard (-20...200).contains(floors) else { throw .rule("floors must be from -20 to 200.") }
        guard (1800...2100).contains(builtOn.month.year) else { throw .rule("built_year must be from 1800 to 2100.") }
    }

    private static func check(
        _ text: String,
        _ name: String,
        limit: Int,
        mayBeBlank: Bool = false
    ) throws(EstateError) {
        let isValid =
            mayBeBlank
            ? TypedText.isShowable(text, limit: limit, manyLines: true)
            : TypedText.isValid(text, limit: limit)
        guard isValid else {
            throw .rule("\(name) must have \(mayBeBlank ? "at most" : "1 to") \(limit) characters that can be shown.")
        }
    }
}
