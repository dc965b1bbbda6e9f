import FoundationEssentials
import Subway

/// The body of the arrivals service: rows with a notice beside them, or a notice alone.
struct SeoulAnswer: Decodable {
    private var errorMessage: Notice?
    private var code: String?
    private var realtimeArrivalList: [Lossy<SeoulRow>]?

    private struct Notice: Decodable {
        var code: String?
    }

    /// The rows that make sense.
    ///
    /// - Throws: `ArrivalsUnavailable` for every notice but success and `INFO-200`, which means that there is none.
    func arrivals(now: Date) throws -> [Arrival] {
        switch errorMessage?.code ?? code {
        case "INFO-000": (realtimeArrivalList ?? []).compactMap { $0.value?.arrival(now: now) }
        case "INFO-200": []
        default: throw ArrivalsUnavailable()
        }
    }
}

/// A value, or nothing where it is not one.
private struct Lossy<Value: Decodable>: Decodable {
    var value: Value?

    init(from decoder: any Decoder) throws {
        value = try? Value(from: decoder)
    }
}

/// A row of `realtimeArrivalList`.
private struct SeoulRow: Decodable {
    var subwayId: Text
    var updnLine: Text?
    var btrainNo: Text
    var ordkey: Text?
    var arvlCd: Text
    var barvlDt: Text?
    var arvlMsg2: Text?
    var bstatnNm: Text
    var recptnDt: Text?

    /// Text, or a number where text was meant.
    struct Text: Decodable {
        var value: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = try (try? container.decode(String.self)) ?? String(container.decode(Int.self))
        }
    }

    /// - Returns: nil for a line that is not known, a direction that nothing tells, or a number that no train has.
    func arrival(now: Date) -> Arrival? {
        guard let line = Line(arrivalsID: subwayId.value), let code = Int(arvlCd.value),
            let direction = Direction(name: updnLine?.value, orderKey: ordkey?.value),
            (1...16).contains(btrainNo.value.utf8.count),
            btrainNo.value.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }), !bstatnNm.value.isEmpty
        else { return nil }
        return Arrival(
            line: line,
            trainNumber: btrainNo.value,
            direction: direction,
            orderKey: ordkey?.value ?? "",
            code: code,
            announcedSeconds: min(max(Int(barvlDt?.value ?? "") ?? 0, 0), 86_400),
            message: arvlMsg2?.value ?? "",
            terminal: bstatnNm.value,
            receivedAt: receivedAt(now: now)
        )
    }

    /// `recptnDt`, Korean time, if it is at most three minutes old; else now.
    private func receivedAt(now: Date) -> Date {
        let text = (recptnDt?.value ?? "").prefix("2025-06-01 08:30:00".count)
        let style = Date.ISO8601FormatStyle(
            dateTimeSeparator: .space,
            timeZone: TimeZone(secondsFromGMT: 9 * 3600) ?? .gmt
        )
        guard let date = try? style.parse("\(text)+0900"), (0...180).contains(now.timeIntervalSince(date)) else {
            return now
        }
        return date
    }
}

extension Line {
    /// `1002` is line 2.
    fileprivate init?(arrivalsID: String) {
        guard let id = Int(arrivalsID), (1001...1999).contains(id) else { return nil }
        self.init(parsing: String(id - 1000))
    }
}

extension Direction {
    /// The name tells; the order key's first digit only where there is no name, since on line 2 the service has been seen
    /// to number outer trains 0.
    fileprivate init?(name: String?, orderKey: String?) {
        switch name {
        case "상행", "내선": self = .up
        case "하행", "외선": self = .down
        default:
            guard let digit = orderKey?.first.flatMap({ Int(String($0)) }) else { return nil }
            self.init(rawValue: digit)
        }
    }
}
