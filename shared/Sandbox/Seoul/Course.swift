import Subway

/// The stops that a train serves, one after the other, each with the running time since the first.
struct Course: Sendable {
    struct Stop: Sendable {
        var station: Int64
        /// Since the first stop.
        var seconds: Int
        /// The way that the train leaves; at the last stop the way that it came.
        var direction: Direction
    }

    let line: Line
    let stops: [Stop]

    /// - Parameter hops: One after the other, not empty.
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
