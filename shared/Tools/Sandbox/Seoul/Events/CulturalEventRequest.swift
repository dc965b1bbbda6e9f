import Hummingbird
import ServiceKit
import Values

/// `GET /{key}/json/culturalEventInfo/{start}/{end}[/{codename}[/{title}[/{date}]]]`: the city's calendar of events
/// (Culture contract 5.1).
struct CulturalEventRequest: Sendable {
    private let key: String
    private let type: String
    /// The path components after the service's name, percent-decoded, including empty ones.
    private let parts: [String]

    /// - Parameter path: The path; the result is nil for that of another service.
    init?(_ path: String) {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map { $0.percentDecoded ?? String($0) }
        guard segments.count >= 3, segments[2] == "culturalEventInfo" else { return nil }
        (key, type, parts) = (segments[0], segments[1], Array(segments[3...]))
    }

    private struct Answer: Encodable {
        var culturalEventInfo: Found

        struct Found: Encodable {
            var total: Int
            var result: OpenDataNotice
            var rows: [CulturalEventRow]

            enum CodingKeys: String, CodingKey {
                case total = "list_total_count"
                case result = "RESULT"
                case rows = "row"
            }
        }
    }

    /// - Throws: `OpenDataNotice`, also if there are no events.
    func answer(on today: CivilDate) throws -> Response {
        let range = try range()
        let filters = (2..<5).map(filter)
        let rows = CulturalProgramme.rows(on: today).filter { row in
            filters[0].map(row.isOf) ?? true && filters[1].map { row.title.contains($0) } ?? true
                && filters[2].map(row.runs) ?? true
        }
        let shown = rows.dropFirst(range.lowerBound - 1).prefix(range.count)
        guard !shown.isEmpty else { throw OpenDataNotice.nothing }
        return try .seoulJSON(
            Answer(culturalEventInfo: .init(total: rows.count, result: .found, rows: Array(shown)))
        )
    }

    /// Positions, counted from 1.
    private func range() throws -> ClosedRange<Int> {
        guard type == "json" else { throw OpenDataNotice.badType }
        guard parts.count >= 2, !parts[1].isEmpty else { throw OpenDataNotice.missing }
        guard let start = Int(parts[0]), let end = Int(parts[1]) else { throw OpenDataNotice.badPosition }
        guard start >= 1 else { throw OpenDataNotice.badStart }
        guard end >= 1 else { throw OpenDataNotice.badEnd }
        guard start <= end else { throw OpenDataNotice.endBeforeStart }
        guard key != "sample" || end - start < 5 else { throw OpenDataNotice.tooManyForSample }
        guard end - start < 1000 else { throw OpenDataNotice.tooManyRows }
        return start...end
    }

    /// A filter; nil for a component that is missing, blank, or the encoded blank that the app sends.
    private func filter(_ index: Int) -> String? {
        guard index < parts.count, !["", " ", "%20"].contains(parts[index]) else { return nil }
        return parts[index]
    }
}
