import Values

/// An address or place found by a search.
struct FoundPlace: Codable, Sendable, Equatable {
    var kind: Kind
    /// The lot-number address, or the name of the place.
    var title: String
    /// The road address, or the lot-number address of the place; `""` when there is none.
    var subtitle: String
    var longitude: Double
    var latitude: Double
    /// The neighbourhood; `""` when it is not known.
    var region: String

    enum Kind: String, Codable, Sendable {
        case address, place
    }
}

/// One page of search results.
struct PlacePage: Codable, Sendable, Equatable {
    var places: [FoundPlace]
    var isEnd: Bool
}

/// The name of a position.
struct PlaceName: Codable, Sendable, Equatable {
    /// The road address, or else the lot-number address.
    var title: String
    /// The lot-number address, if the title is a road address.
    var subtitle: String?
    /// The neighbourhood, or else the next larger district.
    var region: String
}

/// A provider of place searches. All functions throw when it is unavailable.
struct PlaceSource: Sendable {
    /// Searches for addresses and for places by name; pages start at 1 and have `Places.sourcePage` results.
    var addresses: @Sendable (_ text: String, _ page: Int) async throws -> PlacePage
    var keywords: @Sendable (_ text: String, _ page: Int) async throws -> PlacePage
    /// The name of a position; nil when it has none.
    var name: @Sendable (Coordinate) async throws -> PlaceName?
}
