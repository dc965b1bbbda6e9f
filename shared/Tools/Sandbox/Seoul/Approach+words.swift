import Subway

extension Approach {
    /// The limit in seconds beyond which the message of a train contains minutes without seconds.
    private static let far = 300

    /// `barvlDt`: 0 while the train is far away, at the station, and between the last two stations on Seoul Metro's own
    /// lines 1 to 4.
    var announcedSeconds: String {
        switch code {
        case .running: seconds > Self.far ? "0" : String(seconds)
        case .departedPrevious, .arrivedPrevious, .enteringPrevious: isOfOldLine ? "0" : String(seconds)
        case .entering, .arrived, .departed: "0"
        }
    }

    private var isOfOldLine: Bool {
        [.line1, .line2, .line3, .line4].contains(course.line)
    }

    /// `arvlMsg2`.
    ///
    /// - Parameter standing: The last station that the train has reached.
    func message(here: String, standing: String) -> String {
        switch code {
        case .entering: "\(here) 진입"
        case .arrived: "\(here) 도착"
        case .departed: "\(here) 출발"
        case .departedPrevious: "전역 출발"
        case .enteringPrevious: "전역 진입"
        case .arrivedPrevious: "전역 도착"
        case .running where seconds > Self.far: "\(seconds / 60)분 후 (\(standing))"
        case .running: seconds < 60 ? "\(seconds)초 후" : "\(seconds / 60)분 \(seconds % 60)초 후"
        }
    }

    /// `ordkey`: direction, order of arrival, stops away, destination, express or not (SeatCatcher contract 7).
    func orderKey(order: Int, stopsAway: Int) -> String {
        let away = String(stopsAway)
        let padding = String(repeating: "0", count: max(0, 3 - away.count))
        return "\(stop.direction.rawValue)\(min(order, 9))\(padding)\(away)\(destination)0"
    }
}

extension Line {
    /// `subwayId`: 1000 and the line's number.
    var arrivalsID: String {
        "1" + String(repeating: "0", count: 3 - number.count) + number
    }

    /// `updnLine`.
    func arrivalsName(of direction: Direction) -> String {
        switch (self, direction) {
        case (.line2, .up): "내선"
        case (.line2, .down): "외선"
        case (_, .up): "상행"
        case (_, .down): "하행"
        }
    }
}
