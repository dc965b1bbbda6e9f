import FoundationEssentials
import Subway

/// The response body of the arrivals API: rows with a status, or a status alone.
struct SeoulAnswer: Decodable {
    private var errorMessage: Notice?
    private var code: String?
    private var realtimeArrivalList: [Lossy<SeoulRow>]?

    private struct Notice: Decodable {
        var code: String?
    }

    /// The valid rows.
    ///
    /// - Throws: `ArrivalsUnavailable` for every status but success and `INFO-200`, which means that there are no
    ///   trains.
    func arrivals(now: Date) throws -> [Arrival] {
        switch errorMessage?.code ?? code {
        case "INFO-000": (realtimeArrivalList ?? []).compactMap { $0.value?.arrival(now: now) }
        case "INFO-200": []
        default: throw ArrivalsUnavailable()
        }
    }
}

/// Decodes an invalid value as nil.
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

    /// A string, or a number in place of a string.
    struct Text: Decodable {
        var value: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = try (try? container.decode(String.self)) ?? String(container.decode(Int.self))
        }
    }

    /// - Returns: nil for an unknown line or direction, or an invalid train number.
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

    /// `recptnDt`, in Korean time, if it is at most three minutes old; otherwise now.
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
    /// The id `1002` is line 2.
    fileprivate init?(arrivalsID: String) {
        guard let id = Int(arrivalsID), (1001...1999).contains(id) else { return nil }
        self.init(parsing: String(id - 1000))
    }
}

extension Direction {
    /// The name takes precedence over the first digit of the order key, since on line 2 the API also numbers outer
    /// trains 0.
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
