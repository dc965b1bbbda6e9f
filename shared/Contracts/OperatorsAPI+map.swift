/// The estate service's API for operators. Only the console may call it. Positions are those that all users see.
extension OperatorsAPI {
    /// `GET /internal/operators/map?bbox=west,south,east,north&zoom=ZOOM`: clusters and single listings as the app shows
    /// them; 400 for a box that is none or too large for the zoom.
    package struct Map: Codable, Sendable, Equatable {
        /// The maximum number of clusters, and that of single listings.
        package static let limit = 500

        /// - Parameters:
        ///   - bbox: `west,south,east,north` in degrees.
        ///   - zoom: 0 to 22.
        package static func path(bbox: String, zoom: Int) -> String {
            "/internal/operators/map?bbox=\(bbox)&zoom=\(zoom)"
        }

        /// The largest ones, largest first.
        package var clusters: [Cluster]
        package var singles: [SingleListing]
        /// All listings in the box's clusters, and outside any cluster.
        package var listings: Int

        package init(clusters: [Cluster], singles: [SingleListing], listings: Int) {
            (self.clusters, self.singles, self.listings) = (clusters, singles, listings)
        }
    }

    /// Several listings close to each other. Coordinates are in degrees.
    package struct Cluster: Codable, Sendable, Equatable {
        /// The smallest id of its listings.
        package var id: PublicID
        package var count: Int
        package var latitude: Double
        package var longitude: Double
        package var south: Double
        package var west: Double
        package var north: Double
        package var east: Double

        package init(
            id: PublicID,
            count: Int,
            latitude: Double,
            longitude: Double,
            south: Double,
            west: Double,
            north: Double,
            east: Double
        ) {
            (self.id, self.count, self.latitude, self.longitude) = (id, count, latitude, longitude)
            (self.south, self.west, self.north, self.east) = (south, west, north, east)
        }
    }

    package struct SingleListing: Codable, Sendable, Equatable {
        package var id: PublicID
        /// Degrees.
        package var latitude: Double
        package var longitude: Double

        package init(id: PublicID, latitude: Double, longitude: Double) {
            (self.id, self.latitude, self.longitude) = (id, latitude, longitude)
        }
    }
}
