import Subway

/// The stops of a train in order, each with the running time since the first.
struct Course: Sendable {
    struct Stop: Sendable {
        var station: StationID
        /// Since the first stop.
        var seconds: Int
        /// The direction of departure; at the last stop that of the arrival.
        var direction: Direction
    }

    let line: Line
    let stops: [Stop]

    /// - Parameter hops: Consecutive and not empty.
    init(line: Line, hops: [Hop]) {
        var seconds = 0
        var stops: [Stop] = []
        for hop in hops {
            stops.append(Stop(station: hop.from, seconds: seconds, direction: hop.direction))
            seconds += hop.seconds
        }
        if let last = hops.last { stops.append(Stop(station: last.to, seconds: seconds, direction: last.direction)) }
        self.line = line
        self.stops = stops
    }
}
