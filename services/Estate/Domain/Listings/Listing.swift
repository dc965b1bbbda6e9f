import CivilTime
import FoundationEssentials
import People

/// What a list shows of a listing, for one person.
struct ListingSummary: Sendable, Equatable {
    var publicID: String
    var category: String
    var title: String
    var introduction: String
    /// Paths; the first is on the card.
    var thumbnails: [String]
    /// Won.
    var deposit: Int64
    /// Won.
    var monthlyRent: Int64
    var builtOn: CivilDate
    /// Square metres.
    var area: Double
    /// Below 0 for a basement.
    var floors: Int
    var isSafe: Bool
    var isRecommended: Bool
    var position: Position
    /// What people call the place; nil until it is known.
    var region: String?
    var likeCount: Int
    var createdAt: Date
    var updatedAt: Date
}

/// All of a listing, for one person.
struct Listing: Sendable, Equatable {
    var id: Int64
    var summary: ListingSummary
    /// Won, paid to reserve it.
    var reservationPrice: Int64
    var description: String
    /// Won a month.
    var maintenanceFee: Int64
    var parkingCount: Int
    var options: ListingOptions
    var creator: Person
    var isLiked: Bool
    /// Somebody has paid to reserve it, or is about to.
    var isReserved: Bool
}
