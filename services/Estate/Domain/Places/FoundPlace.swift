import Geography

/// An address or a place that a search has found.
struct FoundPlace: Codable, Sendable, Equatable {
    var kind: Kind
    /// The lot-number address, or the place's name.
    var title: String
    /// The road address, or the place's lot-number address; `""` where there is none.
    var subtitle: String
    var longitude: Double
    var latitude: Double
    /// The neighbourhood; `""` where none is known.
    var region: String

    enum Kind: String, Codable, Sendable {
        case address, place
    }
}

/// One page of what a search has found.
struct PlacePage: Codable, Sendable, Equatable {
    var places: [FoundPlace]
    var isEnd: Bool
}

/// What people call a place on the globe.
struct PlaceName: Codable, Sendable, Equatable {
    /// The road address, else the lot-number address.
    var title: String
    /// The lot-number address, where the title is a road address.
    var subtitle: String?
    /// The neighbourhood, else the district, else what is around it.
    var region: String
}

/// Who knows places: Kakao. Each throws when there is no answer.
struct PlaceSource: Sendable {
    /// Addresses that a text means, and places that are called like it; pages from 1, with `Places.sourcePage` each.
    var addresses: @Sendable (_ text: String, _ page: Int) async throws -> PlacePage
    var keywords: @Sendable (_ text: String, _ page: Int) async throws -> PlacePage
    /// What a place is called; nil where nothing is.
    var name: @Sendable (Coordinate) async throws -> PlaceName?
}
