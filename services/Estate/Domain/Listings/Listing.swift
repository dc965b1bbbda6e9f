import Contracts
import FoundationEssentials
import Profiles
import Values

/// The fields of a listing that lists have as well, from the view of one user.
struct ListingSummary: Sendable, Equatable {
    var publicID: PublicID
    var category: String
    var title: String
    var introduction: String
    /// Paths; the first is the cover picture.
    var thumbnails: [String]
    /// Won.
    var deposit: Int64
    /// Won.
    var monthlyRent: Int64
    var builtOn: CivilDate
    /// Square metres.
    var area: Double
    /// Negative for a basement.
    var floors: Int
    var isSafe: Bool
    var isRecommended: Bool
    var position: Position
    /// The name of the region; nil until it is known.
    var region: String?
    var likeCount: Int
    var createdAt: Date
    var updatedAt: Date
}

/// All fields of a listing, from the view of one user.
struct Listing: Sendable, Equatable {
    var id: ListingID
    var summary: ListingSummary
    /// Won; the price of a reservation.
    var reservationPrice: Int64
    var description: String
    /// Won per month.
    var maintenanceFee: Int64
    var parkingCount: Int
    var options: ListingOptions
    var creator: Person
    var isLiked: Bool
    /// Reserved, or held by an open order.
    var isReserved: Bool
}
