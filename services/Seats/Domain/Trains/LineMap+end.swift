import Subway

extension LineMap {
    /// The running time from a stop to where a train ends.
    ///
    /// - Parameters:
    ///   - terminal: nil for a stop beyond the map; then to the last stop that the map has in the train's direction.
    ///   - direction: the way that the train goes now.
    func secondsToEnd(of terminal: Int64?, from station: Int64, going direction: Direction) -> Int {
        if let terminal {
            guard LineMap.stop(terminal) != LineMap.stop(station) else { return 0 }
            let way = hops(from: station, to: terminal, going: direction) ?? route(from: station, to: terminal)?.hops
            return way?.reduce(0) { $0 + $1.seconds } ?? 0
        }
        var seconds = 0
        var passed: Set<Int64> = [LineMap.stop(station)]
        var stop = station
        while let hop = hops(from: stop).first(where: { $0.direction == direction }), passed.insert(hop.to).inserted {
            seconds += hop.seconds
            stop = hop.to
        }
        return seconds
    }
}
