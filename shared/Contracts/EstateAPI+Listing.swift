package import FoundationEssentials

extension EstateAPI {
    /// `GET /internal/listings?ids=ID,ID,…&viewer=ACCOUNT`: up to 100 listings in the order of their ids, without those that
    /// are not there. 400 for more, and for a viewer who can be nobody.
    package struct Listings: Codable, Sendable, Equatable {
        package static let limit = 100

        /// - Parameter viewer: who is to be shown them; nil for nobody in particular.
        package static func path(_ ids: [String], viewer: Int64? = nil) -> String {
            "/internal/listings?ids=\(ids.joined(separator: ","))\(viewer.map { "&viewer=\($0)" } ?? "")"
        }

        package var listings: [Listing]

        package init(listings: [Listing]) {
            self.listings = listings
        }
    }

    /// A listing as one person sees it.
    package struct Listing: Codable, Sendable, Equatable {
        /// 24 hexadecimal digits.
        package var id: String
        package var category: String
        package var title: String
        package var introduction: String
        /// Paths; the first is on the card.
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
        /// Degrees (WGS 84). Where the viewer is told that it is: exact for its creator and for who has paid to reserve it.
        package var latitude: Double
        package var longitude: Double
        package var creator: Creator
        /// Somebody has paid to reserve it, or is about to.
        package var isReserved: Bool
        package var createdAt: Date
        package var updatedAt: Date

        package init(
            id: String,
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

    /// Whose a listing is. Who has left keeps both ids.
    package struct Creator: Codable, Sendable, Equatable {
        package var account: Int64
        /// 24 hexadecimal digits.
        package var publicID: String

        package init(account: Int64, publicID: String) {
            self.account = account
            self.publicID = publicID
        }
    }
}
