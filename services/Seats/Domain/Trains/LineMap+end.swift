import Subway

extension LineMap {
    /// The running time in seconds from a stop to a train's terminal.
    ///
    /// - Parameters:
    ///   - terminal: nil for a stop beyond the map; the last stop of the map in the train's direction is then used.
    ///   - direction: the train's current direction.
    func secondsToEnd(of terminal: StationID?, from station: StationID, going direction: Direction) -> Int {
        if let terminal {
            guard LineMap.stop(terminal) != LineMap.stop(station) else { return 0 }
            let way = hops(from: station, to: terminal, going: direction) ?? route(from: station, to: terminal)?.hops
            return way?.reduce(0) { $0 + $1.seconds } ?? 0
        }
        var seconds = 0
        var passed: Set<StationID> = [LineMap.stop(station)]
        var stop = station
        while let hop = hops(from: stop).first(where: { $0.direction == direction }), passed.insert(hop.to).inserted {
            seconds += hop.seconds
            stop = hop.to
        }
        return seconds
    }
}
