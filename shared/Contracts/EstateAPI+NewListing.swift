extension EstateAPI {
    /// A new listing for `Import`.
    package struct NewListing: Codable, Sendable, Equatable {
        /// The creator's reference for the listing, which makes the import idempotent; up to 200 characters.
        package var reference: String
        package var category: String
        package var title: String
        package var introduction: String
        package var description: String
        /// Paths of pictures that the creator has uploaded.
        package var thumbnails: [String]
        /// Won.
        package var reservationPrice: Int64
        /// Won.
        package var deposit: Int64
        /// Won.
        package var monthlyRent: Int64
        /// Won per month.
        package var maintenanceFee: Int64
        /// A day: `yyyy-MM-dd`.
        package var builtYear: String
        /// Square metres.
        package var area: Double
        package var parkingCount: Int
        /// Below 0 for a basement.
        package var floors: Int
        package var options: Options
        package var isSafe: Bool
        package var isRecommended: Bool
        /// Degrees (WGS 84), exact.
        package var latitude: Double
        package var longitude: Double
        /// The name of the place; derived from the coordinates if nil.
        package var region: String?

        package init(
            reference: String,
            category: String,
            title: String,
            introduction: String,
            description: String,
            thumbnails: [String] = [],
            reservationPrice: Int64,
            deposit: Int64,
            monthlyRent: Int64,
            maintenanceFee: Int64,
            builtYear: String,
            area: Double,
            parkingCount: Int,
            floors: Int,
            options: Options = Options(),
            isSafe: Bool,
            isRecommended: Bool,
            latitude: Double,
            longitude: Double,
            region: String? = nil
        ) {
            self.reference = reference
            self.category = category
            self.title = title
            self.introduction = introduction
            self.description = description
            self.thumbnails = thumbnails
            self.reservationPrice = reservationPrice
            self.deposit = deposit
            self.monthlyRent = monthlyRent
            self.maintenanceFee = maintenanceFee
            self.builtYear = builtYear
            self.area = area
            self.parkingCount = parkingCount
            self.floors = floors
            self.options = options
            self.isSafe = isSafe
            self.isRecommended = isRecommended
            self.latitude = latitude
            self.longitude = longitude
            self.region = region
        }
    }

    /// The equipment of a listing.
    package struct Options: Codable, Sendable, Equatable {
        package enum Item: String, Codable, Sendable, CaseIterable {
            case refrigerator, washer, airConditioner, closet, shoeRack, microwave, sink, tv
        }

        package var items: Set<Item>
        package var description: String?

        package init(_ items: Set<Item> = [], description: String? = nil) {
            self.items = items
            self.description = description
        }
    }
}
