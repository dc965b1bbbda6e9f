/// The fastest route between two stops of one line.
package struct Route: Sendable, Equatable {
    /// The sections in order; never empty.
    package let hops: [Hop]

    /// Every stop of the route, including both ends.
    package var stations: [StationID] {
        hops.prefix(1).map(\.from) + hops.map(\.to)
    }

    /// The running time.
    package var seconds: Int {
        hops.reduce(0) { $0 + $1.seconds }
    }

    /// The direction of the train at the first stop.
    package var direction: Direction {
        hops[0].direction
    }

    /// The running time from the first stop to another on the route; nil for a stop that is not on it.
    package func seconds(to station: StationID) -> Int? {
        guard let index = stations.firstIndex(of: LineMap.stop(station)) else { return nil }
        return hops[..<index].reduce(0) { $0 + $1.seconds }
    }
}
