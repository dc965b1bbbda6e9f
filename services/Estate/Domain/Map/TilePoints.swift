import Contracts
import Values

/// The points of a tile: listings, or aggregates of listings at one spot. Stored in columns, since a tile has up to
/// thousands.
struct TilePoints: Sendable {
    var latitudes: [Double]
    var longitudes: [Double]
    /// Number of listings per point.
    var weights: [Int]
    /// The smallest public ID of each point's listings.
    var publicIDs: PackedIDs

    var count: Int { latitudes.count }

    func place(_ dot: Int) -> Coordinate { Coordinate(latitude: latitudes[dot], longitude: longitudes[dot]) }

    /// A cluster of points (Anlaka contract 4.3, step 7).
    func cluster(_ dots: [Int]) -> MapView.Cluster {
        let dots = publicIDs.ordered(dots)
        let first = place(dots[0])
        var bounds = MapBox(around: first)
        for dot in dots.dropFirst() { bounds.add(place(dot)) }
        return MapView.Cluster(
            id: publicIDs[dots[0]],
            count: dots.reduce(0) { $0 + weights[$1] },
            centre: (dots.count > 5 ? bounds.middle : centre(of: dots, from: first, within: bounds)).rounded,
            bounds: bounds,
            members: publicIDs.picking(dots.prefix(MapView.memberLimit))
        )
    }

    /// The mean of the points, weighted by the inverse distance from the first; the first has weight 1.
    private func centre(of dots: [Int], from first: Coordinate, within bounds: MapBox) -> Coordinate {
        var (latitude, longitude, sum) = (0.0, 0.0, 0.0)
        for dot in dots {
            let place = place(dot)
            let distance = first.distance(to: place)
            let weight = distance > 0 ? 1 / distance : 1
            latitude += weight * place.latitude
            longitude += weight * place.longitude
            sum += weight
        }
        return Coordinate(
            latitude: min(max(latitude / sum, bounds.south), bounds.north),
            longitude: min(max(longitude / sum, bounds.west), bounds.east)
        )
    }
}
