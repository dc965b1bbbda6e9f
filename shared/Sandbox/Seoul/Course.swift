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

    /// The way from a stop to another that goes in one direction only, round the circle if need be.
    ///
    /// - Returns: nil when no train that goes in that direction gets there.
    static func hops(from start: Int64, to end: Int64, going direction: Direction, on map: LineMap) -> [Hop]? {
        let end = LineMap.stop(end)
        func search(_ way: [Hop], at stop: Int64) -> [Hop]? {
            for hop in map.hops(from: stop) where hop.direction == direction {
                guard hop.to != end else { return way + [hop] }
                guard hop.to != LineMap.stop(start), !way.contains(where: { $0.to == hop.to }) else { continue }
                if let found = search(way + [hop], at: hop.to) { return found }
            }
            return nil
        }
        return search([], at: LineMap.stop(start))
    }
}
