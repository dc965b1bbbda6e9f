// The bodies that the app decodes; members that it requires are not optional (Anlaka contract 1.7).

/// A position in degrees.
package struct AnlakaPlace: Decodable, Sendable {
    package var longitude: Double
    package var latitude: Double
}

/// A listing in a list; the app has values for what is missing, but for id and position.
package struct AnlakaEstateSummary: Decodable, Sendable {
    package var estateId: String
    package var geolocation: AnlakaPlace
    package var category: String?
    package var title: String?
    package var introduction: String?
    package var thumbnails: [String]?
    package var deposit: Double?
    package var monthlyRent: Double?
    package var builtYear: String?
    package var area: Double?
    package var floors: Int?
    package var distance: Double?
    package var likeCount: Int?
    package var isSafeEstate: Bool?
    package var isRecommended: Bool?
}

/// Listings without pages.
package struct AnlakaEstateList: Decodable, Sendable {
    package var data: [AnlakaEstateSummary]
}

/// A page of listings.
package struct AnlakaEstatePage: Decodable, Sendable {
    package var data: [AnlakaEstateSummary]
    package var nextCursor: String
}

/// What a listing has; a missing one is false.
package struct AnlakaEstateOptions: Decodable, Sendable {
    package var description: String?
    package var refrigerator: Bool?
    package var washer: Bool?
    package var airConditioner: Bool?
    package var closet: Bool?
    package var shoeRack: Bool?
    package var microwave: Bool?
    package var sink: Bool?
    package var tv: Bool?
}

/// The page of a listing; `comments` is an array of texts for this app.
package struct AnlakaEstateDetail: Decodable, Sendable {
    package var estateId: String
    package var creator: AnlakaUser
    package var category: String?
    package var title: String?
    package var introduction: String?
    package var reservationPrice: Int?
    package var thumbnails: [String]?
    package var description: String?
    package var deposit: Double?
    package var monthlyRent: Double?
    package var builtYear: String?
    package var maintenanceFee: Double?
    package var area: Double?
    package var parkingCount: Int?
    package var floors: Int?
    package var options: AnlakaEstateOptions?
    package var geolocation: AnlakaPlace?
    package var isLiked: Bool?
    package var isReserved: Bool?
    package var likeCount: Int?
    package var isSafeEstate: Bool?
    package var isRecommended: Bool?
    package var comments: [String]?
}

/// A topic of the day.
package struct AnlakaTopic: Decodable, Sendable {
    package var title: String
    package var content: String?
    package var date: String?
    package var link: String?
}

/// The topics of the day.
package struct AnlakaTopics: Decodable, Sendable {
    package var data: [AnlakaTopic]
}

/// A banner.
package struct AnlakaBanner: Decodable, Sendable {
    package var name: String
    package var imageUrl: String
    package var payload: AnlakaBannerPayload
}

/// What a banner opens.
package struct AnlakaBannerPayload: Decodable, Sendable {
    package var type: String
    package var value: String
}

/// The banners.
package struct AnlakaBanners: Decodable, Sendable {
    package var data: [AnlakaBanner]
}
