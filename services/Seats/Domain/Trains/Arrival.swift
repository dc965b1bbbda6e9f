import FoundationEssentials
import Subway

/// A train approaching a station, as announced by the arrivals API (SeatCatcher contract 7).
struct Arrival: Sendable, Equatable {
    var line: Line
    /// `btrainNo`; the apps' train code.
    var trainNumber: String
    var direction: Direction
    /// `ordkey`, unmodified.
    var orderKey: String
    /// `arvlCd`; values without an `ArrivalCode` are ignored.
    var code: Int
    /// `barvlDt`: seconds until the arrival; 0 when unknown.
    var announcedSeconds: Int
    /// `arvlMsg2`.
    var message: String
    /// `bstatnNm`: the train's terminal.
    var terminal: String
    /// The time of the announcement.
    var receivedAt: Date

    /// Seconds from `now` until the train arrives at the station of the announcement (SeatCatcher contract 4.9).
    ///
    /// - Parameter station: that station.
    /// - Returns: nil when unknown; never negative.
    func secondsLeft(to station: StationID, on map: LineMap, now: Date) -> Int? {
        guard let code = ArrivalCode(rawValue: code), let seconds = seconds(code, to: station, on: map) else {
            return nil
        }
        return max(0, seconds - max(0, Int(now.timeIntervalSince(receivedAt))))
    }

    private func seconds(_ code: ArrivalCode, to station: StationID, on map: LineMap) -> Int? {
        if announcedSeconds > 0 { return announcedSeconds }
        switch code {
        case .arrived, .departed: return 0
        case .entering: return 60
        case .departedPrevious, .enteringPrevious, .arrivedPrevious: return secondsBack(1, from: station, on: map)
        case .running:
            return announcedMinutes.map { $0 * 60 } ?? stopsAway.map { secondsBack($0, from: station, on: map) }
        }
    }

    /// The number before 분 in the message: 12 of `12분 후 (시청)`.
    private var announcedMinutes: Int? {
        guard let unit = message.firstIndex(of: "분") else { return nil }
        let digits = message[..<unit].reversed().prefix { $0.isASCII && $0.isNumber }.prefix(4)
        return Int(String(digits.reversed()))
    }

    /// The third to fifth digits of the order key.
    private var stopsAway: Int? {
        UInt16(orderKey.dropFirst(2).prefix(3)).map(Int.init)
    }

    /// The running time of the last hops to a station, in the train's direction. Beyond the end of the map a hop takes
    /// as long as the last known one, or two minutes.
    private func secondsBack(_ hops: Int, from station: StationID, on map: LineMap) -> Int {
        var total = 0
        var stop = station
        var seconds = 120
        for _ in 0..<min(hops, 100) {
            if let hop = map.hops(into: stop, going: direction).first {
                stop = hop.from
                seconds = hop.seconds
            }
            total += seconds
        }
        return total
    }
}
