/// The fastest way between two stops of one line.
package struct Route: Sendable, Equatable {
    /// Hop by hop; never empty.
    package let hops: [Hop]

    /// Every stop on the way, both ends included.
    package var stations: [Int64] {
        hops.prefix(1).map(\.from) + hops.map(\.to)
    }

    /// The running time.
    package var seconds: Int {
        hops.reduce(0) { $0 + $1.seconds }
    }

    /// The way that a train goes from the first stop.
    package var direction: Direction {
        hops[0].direction
    }

    /// The running time from the first stop to another on the way; nil for one that the way does not touch.
    package func seconds(to station: Int64) -> Int? {
        guard let index = stations.firstIndex(of: LineMap.stop(station)) else { return nil }
        return hops[..<index].reduce(0) { $0 + $1.seconds }
    }
}
