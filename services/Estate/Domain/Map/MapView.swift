import Contracts
import Values

/// Clusters and single listings in an area of the map.
struct MapView: Sendable, Equatable {
    /// Sorted by ID.
    var clusters: [Cluster] = []
    /// Sorted by ID.
    var singles: [Single] = []

    /// Several listings close to each other.
    struct Cluster: Sendable, Equatable {
        /// The smallest public ID of its listings, which does not depend on the box.
        var id: PublicID
        var count: Int
        var centre: Coordinate
        var bounds: MapBox
        /// Public IDs of its listings, ascending, at most `memberLimit`.
        var members: PackedIDs
    }

    /// A listing outside any cluster.
    struct Single: Sendable, Equatable {
        var publicID: PublicID
        var place: Coordinate
        /// nil in a tile with more than `cardLimit` of them, and of a listing that was deleted meanwhile.
        var card: Card?
    }

    /// What the pin of a single listing shows.
    struct Card: Sendable, Equatable {
        var category: String
        /// Won.
        var deposit: Int64
        /// Won.
        var monthlyRent: Int64
        /// Path of the first picture.
        var thumbnail: String?
    }

    static let memberLimit = 50
    /// Single listings of a tile: it is 128 points wide, and clusters by density leave out more than fit beside each other.
    static let cardLimit = 50

    /// The clustering method.
    enum Method: String, Sendable, Hashable, CaseIterable {
        /// The app's method for a zoom level (Anlaka contract 4.3).
        case zoom
        /// HDBSCAN: by density, independent of the zoom.
        case density
    }
}
