import Glibc

/// Groups pins of a map as Anlaka's client does at a zoom level, but deterministically: the same pins are always
/// grouped the same way (Anlaka contract 4.3).
package struct ZoomClustering: Sendable {
    package var zoom: Double

    package init(zoom: Double) {
        self.zoom = zoom
    }

    /// A place on the globe, in degrees.
    package struct Pin: Sendable, Hashable {
        package var latitude: Double
        package var longitude: Double

        package init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    package struct Result: Sendable, Equatable {
        /// The pins of each cluster by their index in the input, ascending, at least two; ordered by their first pin.
        package var clusters: [[Int]]
        /// Pins without a cluster, ascending.
        package var singles: [Int]
    }

    /// - Parameter pins: Finite coordinates. Distances are planar, which is accurate within a few hundred kilometres.
    package func cluster(_ pins: [Pin]) -> Result {
        guard pins.count > 1 else { return Result(clusters: [], singles: Array(pins.indices)) }
        let tree = KDTree(Self.points(pins))
        let threshold = ZoomThreshold(zoom: zoom)
        let most = ZoomThreshold.neighbours(count: pins.count, factor: 1.5)
        let neighbours = Neighbours(tree, k: min(most, pins.count - 1))
        let spacing = (0..<pins.count).reduce(0.0) { $0 + neighbours.distance($1, 0, tree) } / Double(pins.count)
        let k = min(threshold.neighbours(count: pins.count, spacing: spacing), neighbours.k)
        let slot = min(k, max(1, pins.count / 3)) - 1
        let cores = (0..<pins.count).map { neighbours.distance($0, slot, tree) }
        let limit = threshold.distance(cores: cores.sorted())

        // The components of the spanning forest without its longer edges equal those of the complete graph without the
        // longer edges.
        let components = Components(pins.count)
        for place in 0..<pins.count where cores[place] <= limit {
            for slot in 0..<k {
                let other = Int(neighbours.places[place * neighbours.k + slot])
                if max(cores[other], neighbours.distance(place, slot, tree)) <= limit {
                    _ = components.join(Int32(place), Int32(other))
                }
            }
        }
        return Self.grouped(components, tree)
    }

    private static func grouped(_ components: Components, _ tree: KDTree) -> Result {
        var members: [Int32: [Int]] = [:]
        for place in 0..<tree.count {
            members[components.find(Int32(place)), default: []].append(Int(tree.order[place]))
        }
        let groups = members.values.map { $0.sorted() }.sorted { $0[0] < $1[0] }
        return Result(
            clusters: groups.filter { $0.count > 1 },
            singles: groups.filter { $0.count == 1 }.map { $0[0] }
        )
    }

    /// The pins on a plane, in metres: 111,000 per degree, and fewer along a parallel; the scale is that of the
    /// southernmost pin, so that it does not depend on the order.
    package static func points(_ pins: [Pin]) -> [Point] {
        let latitude = pins.reduce(90.0) { min($0, $1.latitude) }
        let scale = 111_000 * cos(latitude * .pi / 180)
        return pins.map { Point(x: $0.longitude * scale, y: $0.latitude * 111_000) }
    }
}

extension Neighbours {
    /// The distance of a point to one of its neighbours.
    fileprivate func distance(_ place: Int, _ slot: Int, _ tree: KDTree) -> Double {
        let other = Int(places[place * k + slot])
        let (dx, dy) = (tree.xs[place] - tree.xs[other], tree.ys[place] - tree.ys[other])
        return (dx * dx + dy * dy).squareRoot()
    }
}
