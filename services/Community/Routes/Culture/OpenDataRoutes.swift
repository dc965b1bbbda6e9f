import Hummingbird
import ServiceKit
import Values

/// The city's events in the city's own path format, for the app, which calls the city's API (contract 4.6, 5.1, 6). Any
/// key is accepted.
struct OpenDataRoutes {
    let events: CulturalEvents

    struct EventsResponse: Encodable {
        var culturalEventInfo: Found

        struct Found: Encodable {
            var total: Int
            var result: OpenDataMessage
            var rows: [[String: String]]

            enum CodingKeys: String, CodingKey {
                case total = "list_total_count"
                case result = "RESULT"
                case rows = "row"
            }
        }
    }

    /// A parsed request: a range of rows, starting at 1, and a filter; nil for a filter that matches nothing.
    private struct Question {
        var rows: ClosedRange<Int>
        var filter: EventFilter?
    }

    private enum Reading {
        case question(Question)
        case refused(OpenDataMessage)
    }

    /// `GET /{key}/json/culturalEventInfo/{start}/{end}[/{codename}[/{title}[/{date}]]]` → 200 with rows, possibly
    /// none, whose LOT is the latitude and LAT the longitude; the city's result codes for errors.
    func list(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        switch Self.read(Self.parts(of: request)) {
        case .refused(let notice):
            return try notice.response()
        case .question(let question):
            guard let filter = question.filter else { return try Self.response(0, []) }
            let range = question.rows.lowerBound - 1..<question.rows.upperBound
            let (total, events) = try await events.events(filter, in: range)
            return try Self.response(total, events)
        }
    }

    private static func response(_ total: Int, _ events: [CulturalEvent]) throws -> Response {
        try .json(
            EventsResponse(
                culturalEventInfo: .init(
                    total: total,
                    result: events.isEmpty ? .nothing : .found,
                    rows: events.map(\.appRow)
                )
            )
        )
    }

    private static func read(_ parts: [String]) -> Reading {
        guard parts.count >= 2, !parts[0].isEmpty, !parts[1].isEmpty else { return .refused(.missing) }
        guard let start = Int(parts[0]), let end = Int(parts[1]) else { return .refused(.badPosition) }
        guard start >= 1 else { return .refused(.badStart) }
        guard end >= 1 else { return .refused(.badEnd) }
        guard start <= end else { return .refused(.endBeforeStart) }
        guard end - start < 1000 else { return .refused(.tooManyRows) }
        var filter: EventFilter? = EventFilter(category: text(parts, 2), title: text(parts, 3))
        if let date = text(parts, 4) {
            let day = CivilDate(date)
            filter?.from = day
            filter?.to = day
            if day == nil { filter = nil }
        }
        return .question(Question(rows: start...end, filter: filter))
    }

    /// nil when the part does not filter: absent, blank, or the encoded blank that the app sends.
    private static func text(_ parts: [String], _ index: Int) -> String? {
        guard index < parts.count, !["", " ", "%20"].contains(parts[index]) else { return nil }
        return parts[index]
    }

    /// The path segments after the name of the API, percent-decoded once: a segment may contain a slash or be empty.
    private static func parts(of request: Request) -> [String] {
        let path = request.uri.path.split(separator: "/culturalEventInfo/", maxSplits: 1)
        guard path.count == 2 else { return [] }
        return path[1].split(separator: "/", omittingEmptySubsequences: false).map { $0.percentDecoded ?? String($0) }
    }
}
