import AsyncHTTPClient
import ServiceKit

/// The city's API of cultural events (Culture contract 5.1).
struct CalendarFeed: Sendable {
    private let connection: ProviderConnection
    /// Part of the path; must not be logged.
    private let key: String

    init(url: String, key: String, http: HTTPClient = .untraced, timeout: Duration = .seconds(30)) {
        connection = ProviderConnection(
            provider: "Seoul's open data",
            baseURL: url,
            http: http,
            timeout: timeout,
            limit: 16 << 20
        )
        self.key = key
    }

    /// A range of rows, starting at 1.
    ///
    /// - Throws: `ProviderUnavailable` for every response without rows.
    func part(_ range: ClosedRange<Int>) async throws -> CalendarRefresh.Part {
        let path = "/\(key)/json/culturalEventInfo/\(range.lowerBound)/\(range.upperBound)/"
        let answer = try await connection.get(path)
        guard answer.status == 200, let body = answer.value(CalendarAnswer.self) else { throw connection.unavailable }
        switch body.code {
        case "INFO-000":
            return CalendarRefresh.Part(total: body.total, events: body.rows.map { CulturalEvent($0) })
        case "INFO-100": throw connection.refusesUs(answer, "culturalEventInfo")
        default: throw connection.unavailable
        }
    }
}

/// A response: rows with a result code, or a result code alone.
struct CalendarAnswer: Decodable {
    var code: String
    var total: Int
    var rows: [[String: String]]

    private enum CodingKeys: String, CodingKey {
        case found = "culturalEventInfo"
        case result = "RESULT"
    }

    private struct Found: Decodable {
        var total: Int
        var result: Notice
        var rows: [[String: Text]]

        enum CodingKeys: String, CodingKey {
            case total = "list_total_count"
            case result = "RESULT"
            case rows = "row"
        }
    }

    private struct Notice: Decodable {
        var code: String

        enum CodingKeys: String, CodingKey {
            case code = "CODE"
        }
    }

    /// A text. Numbers become their digits, and other values an empty text.
    private struct Text: Decodable {
        var value: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = (try? container.decode(String.self)) ?? (try? container.decode(Double.self)).map { "\($0)" } ?? ""
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let found = try container.decodeIfPresent(Found.self, forKey: .found) else {
            code = try container.decode(Notice.self, forKey: .result).code
            (total, rows) = (0, [])
            return
        }
        code = found.result.code
        total = found.total
        rows = found.rows.map { $0.mapValues(\.value) }
    }
}
