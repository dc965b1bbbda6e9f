import Geography

/// What somebody sees of the map: pins that stand for many listings, and pins that stand for one.
struct MapView: Sendable, Equatable {
    /// In the order of their ids.
    var clusters: [Cluster] = []
    /// In the order of their ids.
    var singles: [Single] = []

    /// Many listings near each other.
    struct Cluster: Sendable, Equatable {
        /// The lowest id of its listings: the same wherever the map is moved.
        var id: String
        var count: Int
        var centre: Coordinate
        var bounds: MapBox
        /// Ids of its listings, ascending; of many only some, `memberLimit` at most.
        var members: [String]
    }

    /// A listing of its own.
    struct Single: Sendable, Equatable {
        var publicID: String
        var place: Coordinate
    }

    static let memberLimit = 50

    /// How clusters are found.
    enum Method: String, Sendable, Hashable, CaseIterable {
        /// As the app does it at a level of zoom (Anlaka contract 4.3).
        case zoom
        /// By density alone (HDBSCAN): denser than what is around, whatever the zoom.
        case density
    }
}
