/// The neighbours of stops, and the running times between them.
///
/// The station data lists every line as a sequence. Here line 2 is a circle, the branches of lines 2 and 5 start where
/// they leave the line, and the loop of line 6 is served in one direction only (SeatCatcher contract 8).
///
/// Two rows can be one stop: 시청 closes the circle of line 2 (11, 54), 응암 the loop of line 6 (179, 185). Both ids are
/// accepted; results use the first id.
package struct LineMap: Sendable {
    private let stations: [StationID: Station]
    private let leaving: [StationID: [Hop]]
    private let arriving: [StationID: [Hop]]
    private let names: [Line: [String: StationID]]

    /// The second rows of stops that are listed twice in the data.
    private static let firstIDs: [StationID: StationID] = [54: 11, 185: 179]
    /// First stops of branches, and the stops that the branches leave from: 용답 from 성수, 도림천 from 신도림, 둔촌동 from 강동.
    private static let junctions: [StationID: StationID] = [55: 21, 59: 44, 172: 161]
    /// 역촌 to 응암: reached in the listed order only, on the up track (the arrivals service calls it 응암순환(상선)).
    private static let oneWay: ClosedRange<StationID> = 180...185

    /// - Parameter stations: The stations in the order of the station data.
    package init(_ stations: [Station]) {
        var leaving: [StationID: [Hop]] = [:]
        var arriving: [StationID: [Hop]] = [:]
        var names: [Line: [String: StationID]] = [:]
        func add(_ hop: Hop) {
            leaving[hop.from, default: []].append(hop)
            arriving[hop.to, default: []].append(hop)
        }
        var before: Station?
        for station in stations {
            let stop = Self.stop(station.id)
            for name in [station.name, station.arrivalsName] where names[station.line]?[name] == nil {
                names[station.line, default: [:]][name] = stop
            }
            if let previous = before, previous.line == station.line {
                let from = Self.junctions[station.id] ?? Self.stop(previous.id)
                let isOneWay = Self.oneWay.contains(station.id)
                let direction = isOneWay ? .up : station.line.listed
                let hop = Hop(from: from, to: stop, seconds: station.runningSeconds, direction: direction)
                add(hop)
                if !isOneWay { add(hop.reversed) }
            }
            before = station
        }
        self.stations = Dictionary(stations.map { ($0.id, $0) }) { first, _ in first }
        self.leaving = leaving
        self.arriving = arriving
        self.names = names
    }

    /// The first id of a stop.
    package static func stop(_ id: StationID) -> StationID {
        firstIDs[id] ?? id
    }

    /// The stop with an id; nil for an unknown one.
    package func station(_ id: StationID) -> Station? {
        stations[id]
    }

    /// The stop with a name on a line, as named by the station data or the arrivals service.
    package func station(named name: String, on line: Line) -> Station? {
        names[line]?[name].flatMap { stations[$0] }
    }

    /// The sections that leave a stop, the line's own before a branch's.
    package func hops(from id: StationID) -> [Hop] {
        leaving[Self.stop(id)] ?? []
    }

    /// The sections into a stop for trains in a direction, the line's own before a branch's.
    package func hops(into id: StationID, going direction: Direction) -> [Hop] {
        (arriving[Self.stop(id)] ?? []).filter { $0.direction == direction }
    }

    /// Whether a stop is served in one direction only, although trains arrive from another stop: inside the loop of
    /// line 6.
    package func isInLoop(_ id: StationID) -> Bool {
        let ways = hops(from: id)
        return ways.count == 1 && !ways.contains { way in hops(from: way.to).contains { $0.to == Self.stop(id) } }
    }

    /// Whether a stop is on a branch of line 2 or 5, beyond the stop where the branch leaves.
    package static func isOnBranch(_ id: StationID) -> Bool {
        (55...62).contains(id) || (172...178).contains(id)
    }

    /// The sections of a train that keeps its direction, around the circle if necessary.
    ///
    /// - Returns: nil if no such train reaches the stop.
    package func hops(from start: StationID, to end: StationID, going direction: Direction) -> [Hop]? {
        let start = Self.stop(start)
        let end = Self.stop(end)
        func search(_ way: [Hop], at stop: StationID) -> [Hop]? {
            for hop in hops(from: stop) where hop.direction == direction {
                if hop.to == end { return way + [hop] }
                guard hop.to != start, !way.contains(where: { $0.to == hop.to }) else { continue }
                if let found = search(way + [hop], at: hop.to) { return found }
            }
            return nil
        }
        return search([], at: start)
    }

    /// The fastest route between two stops of one line (Dijkstra's algorithm). Between opposite stops of the circle it
    /// is the inner one.
    ///
    /// - Returns: nil for stops of different lines, for unknown ones, and from a stop to itself.
    package func route(from start: StationID, to end: StationID) -> Route? {
        let start = Self.stop(start)
        let end = Self.stop(end)
        guard start != end, let line = stations[start]?.line, line == stations[end]?.line else { return nil }
        var reached: [StationID: Hop] = [:]
        var frontier = hops(from: start).map { (seconds: $0.seconds, hop: $0) }
        func order(_ index: Int) -> (Int, Int) { (frontier[index].seconds, frontier[index].hop.direction.rawValue) }
        while let nearest = frontier.indices.min(by: { order($0) < order($1) }) {
            let (seconds, hop) = frontier.remove(at: nearest)
            guard hop.to != start, reached[hop.to] == nil else { continue }
            reached[hop.to] = hop
            if hop.to == end { return Route(hops: Self.trace(reached, back: hop)) }
            frontier += hops(from: hop.to).map { (seconds + $0.seconds, $0) }
        }
        return nil
    }

    private static func trace(_ reached: [StationID: Hop], back last: Hop) -> [Hop] {
        var hops = [last]
        while let hop = hops.last, let before = reached[hop.from] { hops.append(before) }
        return hops.reversed()
    }
}

extension Hop {
    /// The section in the opposite direction.
    fileprivate var reversed: Hop {
        Hop(from: to, to: from, seconds: seconds, direction: direction.opposite)
    }
}
