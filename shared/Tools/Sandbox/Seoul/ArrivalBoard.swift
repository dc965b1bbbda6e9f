import FoundationEssentials
import Subway

/// The arrivals at a station: all lines and directions that stop there.
struct ArrivalBoard: Sendable {
    let map: LineMap
    let timetable: Timetable
    let placed: PlacedTrains
    /// Stops by the arrivals service's name.
    private let stops: [String: [Station]]
    private let codes: StationCodes

    init(_ stations: [Station], placed: PlacedTrains) {
        map = LineMap(stations)
        timetable = Timetable(stations, map: map)
        stops = Dictionary(grouping: stations.filter { LineMap.stop($0.id) == $0.id }, by: \.arrivalsName)
        codes = StationCodes(stations)
        self.placed = placed
    }

    /// The trains at a station, by line, direction and time: two from the timetable per direction and terminus of a
    /// line, and every placed train.
    ///
    /// - Returns: Empty for an unknown name.
    func rows(of name: String, at date: Date) -> [ArrivalRow] {
        let now = Int(date.timeIntervalSince1970)
        let stops = stops[name] ?? []
        return stops.flatMap { stop in
            Direction.allCases.flatMap { direction in
                approaches(to: stop, going: direction, now: now).enumerated().map { order, approach in
                    row(approach, at: stop, order: order + 1, interchange: stops, date: date)
                }
            }
        }
    }

    private func approaches(to stop: Station, going direction: Direction, now: Int) -> [Approach] {
        let placed = placed.approaches(to: stop.id, now: now)
            .filter { $0.stop.direction == direction }
        let regular = timetable.approaches(to: stop.id, now: now)
            .filter { approach in
                approach.stop.direction == direction && approach.isVisible
                    && !self.placed.contains(approach.train, on: stop.line)
            }
        return (regular + placed).sorted { $0.seconds < $1.seconds }
    }

    private func row(
        _ approach: Approach,
        at stop: Station,
        order: Int,
        interchange: [Station],
        date: Date
    ) -> ArrivalRow {
        let course = approach.course
        let next = approach.index + 1 < course.stops.count ? course.stops[approach.index + 1].station : nil
        let previous = approach.index > 0 ? course.stops[approach.index - 1].station : nil
        let heading = next.map { "\(map.name($0))방면" } ?? "종착"
        let away = approach.seconds > 0 ? approach.index - approach.position : 0
        let here = map.name(stop.id)
        let standing = approach.seconds > 0 ? map.name(course.stops[approach.position].station) : here
        return ArrivalRow(
            subwayId: stop.line.arrivalsID,
            updnLine: stop.line.arrivalsName(of: approach.stop.direction),
            trainLineNm: "\(approach.destination)행 - \(heading)",
            statnFid: previous.map(codes.code) ?? "0",
            statnTid: next.map(codes.code) ?? "0",
            statnId: codes.code(stop.id),
            statnNm: here,
            trnsitCo: String(interchange.count),
            ordkey: approach.orderKey(order: order, stopsAway: away),
            subwayList: interchange.map(\.line.arrivalsID).joined(separator: ","),
            statnList: interchange.map { codes.code($0.id) }.joined(separator: ","),
            barvlDt: approach.announcedSeconds,
            btrainNo: approach.train,
            bstatnId: String(course.stops.last?.station ?? 0),
            bstatnNm: approach.destination,
            recptnDt: date.koreanText,
            arvlMsg2: approach.message(here: here, standing: standing),
            arvlMsg3: standing,
            arvlCd: String(approach.code.rawValue)
        )
    }
}

extension Date {
    /// `2025-06-01 08:30:00`, Korean time.
    fileprivate var koreanText: String {
        let style = Date.ISO8601FormatStyle(
            dateTimeSeparator: .space,
            timeZone: TimeZone(secondsFromGMT: 9 * 3600) ?? .gmt
        )
        return String(formatted(style).prefix("2025-06-01 08:30:00".count))
    }
}
