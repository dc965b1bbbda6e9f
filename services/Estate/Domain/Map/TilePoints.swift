import Contracts
import Values

/// The points of a tile: listings, or aggregates of listings at one spot. Stored in columns, since a tile has up to
/// thousands.
struct TilePoints: Sendable {
    var latitudes: [Double]
    var longitudes: [Double]
    /// Number of listings per point.
    var weights: [Int]
    /// The smallest public ID of each point's listings, 12 bytes each.
    var publicIDs: [UInt8]

    var count: Int { latitudes.count }

    func place(_ dot: Int) -> Coordinate { Coordinate(latitude: latitudes[dot], longitude: longitudes[dot]) }

    func publicID(_ dot: Int) -> PublicID { PublicID(unchecked: Self.hex(publicIDs[dot * 12..<dot * 12 + 12])) }

    /// Points sorted by public ID.
    private func sorted(_ dots: [Int]) -> [Int] {
        let ids = publicIDs.withUnsafeBytes { bytes in
            dots.map { dot in
                (
                    UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: dot * 12, as: UInt64.self)),
                    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: dot * 12 + 8, as: UInt32.self)), dot
                )
            }
        }
        return ids.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    /// A cluster of points (Anlaka contract 4.3, step 7).
    func cluster(_ dots: [Int]) -> MapView.Cluster {
        let dots = sorted(dots)
        let first = place(dots[0])
        var bounds = MapBox(around: first)
        for dot in dots.dropFirst() { bounds.add(place(dot)) }
        return MapView.Cluster(
            id: publicID(dots[0]),
            count: dots.reduce(0) { $0 + weights[$1] },
            centre: (dots.count > 5 ? bounds.middle : centre(of: dots, from: first, within: bounds)).rounded,
            bounds: bounds,
            members: dots.prefix(MapView.memberLimit).map(publicID)
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

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            var count = 0
            for byte in bytes {
                for digit in [byte >> 4, byte & 15] {
                    text[count] = digit < 10 ? 48 + digit : 87 + digit
                    count += 1
                }
            }
            return count
        }
    }
}
