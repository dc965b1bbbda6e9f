package import FoundationEssentials

extension EstateAPI {
    /// `GET /internal/listings?ids=ID,ID,…&viewer=ACCOUNT`: up to 100 listings in the order of their ids; unknown ids
    /// are omitted. 400 for more ids, and for an invalid viewer.
    package struct Listings: Codable, Sendable, Equatable {
        package static let limit = 100

        /// - Parameter viewer: The account that the listings are shown to; nil for an anonymous view.
        package static func path(_ ids: [PublicID], viewer: AccountID? = nil) -> String {
            "/internal/listings?ids=\(ids.map(\.rawValue).joined(separator: ","))\(viewer.map { "&viewer=\($0)" } ?? "")"
        }

        package var listings: [Listing]

        package init(listings: [Listing]) {
            self.listings = listings
        }
    }

    /// A listing as seen by one user.
    package struct Listing: Codable, Sendable, Equatable {
        package var id: PublicID
        package var category: String
        package var title: String
        package var introduction: String
        /// Paths; the first one is shown on the card.
        package var thumbnails: [String]
        /// Won, paid to reserve it.
        package var reservationPrice: Int64
        /// Won.
        package var deposit: Int64
        /// Won.
        package var monthlyRent: Int64
        /// A day: `yyyy-MM-dd`.
        package var builtYear: String
        /// Square metres.
        package var area: Double
        /// Below 0 for a basement.
        package var floors: Int
        /// Degrees (WGS 84). The location as the viewer may see it: exact for the creator and for users who have paid
        /// for the reservation.
        package var latitude: Double
        package var longitude: Double
        package var creator: Creator
        /// Whether the listing is reserved, or a reservation is being paid.
        package var isReserved: Bool
        package var createdAt: Date
        package var updatedAt: Date

        package init(
            id: PublicID,
            category: String,
            title: String,
            introduction: String,
            thumbnails: [String],
            reservationPrice: Int64,
            deposit: Int64,
            monthlyRent: Int64,
            builtYear: String,
            area: Double,
            floors: Int,
            latitude: Double,
            longitude: Double,
            creator: Creator,
            isReserved: Bool,
            createdAt: Date,
            updatedAt: Date
        ) {
            self.id = id
            self.category = category
            self.title = title
            self.introduction = introduction
            self.thumbnails = thumbnails
            self.reservationPrice = reservationPrice
            self.deposit = deposit
            self.monthlyRent = monthlyRent
            self.builtYear = builtYear
            self.area = area
            self.floors = floors
            self.latitude = latitude
            self.longitude = longitude
            self.creator = creator
            self.isReserved = isReserved
            self.createdAt = createdAt
            self.updatedAt = updatedAt
        }
    }

    /// The creator of a listing. A withdrawn account keeps both ids.
    package struct Creator: Codable, Sendable, Equatable {
        package var account: AccountID
        package var publicID: PublicID

        package init(account: AccountID, publicID: PublicID) {
            self.account = account
            self.publicID = publicID
        }
    }
}
