import Subway

/// Where an announced train goes, as far as its name tells.
enum TrainDestination: Sendable, Equatable {
    /// It ends at this stop.
    case stop(Int64)
    /// It is announced to 성수 and goes on round the circle of line 2.
    case circle
    /// Round a loop, or to a stop that is not in the station data.
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

    /// The stop that a train is announced to, whether it ends there or goes on.
    static func terminal(of arrival: Arrival, on map: LineMap) -> Int64? {
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
    /// Whether the train runs on a branch of line 2 only: their numbers begin with 1 and 5, and they end where a branch
    /// does. A train with such a number that goes elsewhere is one of the circle.
    var isShuttle: Bool {
        line == .line2 && (trainNumber.hasPrefix("1") || trainNumber.hasPrefix("5"))
            && Self.endsOfBranches.contains { terminal.hasPrefix($0) }
    }

    private static let endsOfBranches = ["성수", "신설동", "신도림", "까치산"]

    /// Whether the train takes somebody along a way to its end. It does not if it is known to end before, or to turn off.
    /// Where a branch of line 2 begins or ends people change trains: it is enough that the first one goes there.
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
