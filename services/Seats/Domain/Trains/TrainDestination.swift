import Subway

/// The destination of an announced train, derived from its name.
enum TrainDestination: Sendable, Equatable {
    /// The train ends at this stop.
    case stop(StationID)
    /// The train is announced to 성수 and continues on the loop of line 2.
    case circle
    /// A loop, or a stop that is not in the station data.
    case unknown

    init(_ arrival: Arrival, on map: LineMap) {
        let (name, isEnd) = Self.name(of: arrival)
        if name.contains("순환") {
            self = .unknown
        } else if arrival.line == .line2, name == "성수", !isEnd, !arrival.isShuttle {
            self = .circle
        } else {
            self = map.station(named: name, on: arrival.line).map { .stop($0.id) } ?? .unknown
        }
    }

    /// The stop in the announcement, whether the train ends there or continues.
    static func terminal(of arrival: Arrival, on map: LineMap) -> StationID? {
        map.station(named: name(of: arrival).name, on: arrival.line)?.id
            ?? map.station(named: arrival.terminal, on: arrival.line)?.id
    }

    /// The name of the stop. 성수종착 ends there, unlike 성수; 신도림지선 is the end of a branch; 방화 (막차) is the last train.
    private static func name(of arrival: Arrival) -> (name: String, isEnd: Bool) {
        let name = arrival.terminal.split(separator: " (").first.map(String.init) ?? arrival.terminal
        for ending in ["종착", "지선"] where name.hasSuffix(ending) { return (String(name.dropLast(2)), true) }
        return (name, false)
    }
}

extension Arrival {
    /// Whether the train serves only a branch of line 2: such trains have numbers that begin with 1 or 5, and end at
    /// the end of a branch. A train with such a number and another terminal serves the loop.
    var isShuttle: Bool {
        line == .line2 && (trainNumber.hasPrefix("1") || trainNumber.hasPrefix("5"))
            && Self.endsOfBranches.contains { terminal.hasPrefix($0) }
    }

    private static let endsOfBranches = ["성수", "신설동", "신도림", "까치산"]

    /// Whether the train serves a route to its end. It does not if it is known to end before, or to turn off. On the
    /// branches of line 2 passengers change trains, so it suffices that the first train serves the branch.
    func serves(_ route: Route, on map: LineMap) -> Bool {
        let first = route.hops[0]
        if line == .line2, isShuttle != (LineMap.isOnBranch(first.from) || LineMap.isOnBranch(first.to)) {
            return false
        }
        switch TrainDestination(self, on: map) {
        case .unknown, .circle: return true
        case .stop(let terminal):
            guard terminal != first.from else { return false }
            guard !isShuttle, let way = map.hops(from: first.from, to: terminal, going: direction) else { return true }
            return way.contains { $0.to == route.stations.last }
        }
    }
}
