import FoundationEssentials
import Subway

extension Tracking.Observation {
    /// Searches a station's arrivals for a train.
    ///
    /// - Parameters:
    ///   - train: the train's number.
    ///   - route: the passenger's route; the arrivals are those of its last stop.
    ///   - board: all trains announced at that stop.
    init(of train: String, on route: Route, board: [Arrival], map: LineMap, now: Date) {
        let last = route.hops[route.hops.count - 1]
        let line = map.station(last.to)?.line
        let row = board.first { $0.trainNumber == train && $0.line == line && $0.passes(last, on: map) }
        guard let row, let code = ArrivalCode(rawValue: row.code),
            let seconds = row.secondsLeft(to: last.to, on: map, now: now)
        else {
            self = .notSeen
            return
        }
        self = .seen(code, seconds: seconds)
    }
}

extension Arrival {
    /// Whether the train may arrive over a hop: its direction is the same, unless the hop ends where trains turn.
    fileprivate func passes(_ hop: Hop, on map: LineMap) -> Bool {
        direction == hop.direction || !map.hops(from: hop.to).contains { $0.direction == hop.direction }
            || map.isInLoop(hop.from)
    }
}
