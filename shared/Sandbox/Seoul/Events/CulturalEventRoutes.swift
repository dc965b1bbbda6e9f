import CivilTime
import FoundationEssentials
import Hummingbird
import ServiceHost

/// `GET /{key}/json/culturalEventInfo/{start}/{end}[/{codename}[/{title}[/{date}]]]`: the city's calendar of events
/// (Culture contract 5.1).
struct CulturalEventRoutes: Sendable {
    static let service = "culturalEventInfo"

    func add(to group: RouterGroup<SandboxContext>) {
        group.get(":key/:type/\(Self.service)/**", use: events)
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

    private func events(_ request: Request, _ context: SandboxContext) throws -> Response {
        guard context.parameters.get("type") == "json" else { throw OpenDataNotice.badType }
        let parts = Self.parts(of: request)
        guard parts.count >= 2, !parts[1].isEmpty else { throw OpenDataNotice.missing }
        guard let start = Int(parts[0]), let end = Int(parts[1]) else { throw OpenDataNotice.badPosition }
        guard start >= 1 else { throw OpenDataNotice.badStart }
        guard end >= 1 else { throw OpenDataNotice.badEnd }
        guard start <= end else { throw OpenDataNotice.endBeforeStart }
        guard context.parameters.get("key") != "sample" || end - start < 5 else { throw OpenDataNotice.tooManyForSample }
        guard end - start < 1000 else { throw OpenDataNotice.tooManyRows }

        let filters = (2..<5).map { Self.filter(parts, $0) }
        let rows = CulturalProgramme.rows(on: SeoulTime.date(of: .now)).filter { row in
            filters[0].map(row.isOf) ?? true && filters[1].map(row.title.contains) ?? true
                && filters[2].map(row.runs) ?? true
        }
        let shown = rows.dropFirst(start - 1).prefix(end - start + 1)
        guard !shown.isEmpty else { throw OpenDataNotice.nothing }
        return try .seoulJSON(
            Answer(culturalEventInfo: .init(total: rows.count, result: .found, rows: Array(shown)))
        )
    }

    /// What follows the service's name, percent-decoded, empty parts too.
    private static func parts(of request: Request) -> [String] {
        let rest = request.uri.path.split(separator: "/\(service)/", maxSplits: 1).last ?? ""
        return rest.split(separator: "/", omittingEmptySubsequences: false).map { $0.percentDecoded ?? String($0) }
    }

    /// nil for what filters nothing: a part that is not there, blank, or the encoded blank that the app sends.
    private static func filter(_ parts: [String], _ index: Int) -> String? {
        guard index < parts.count, !["", " ", "%20"].contains(parts[index]) else { return nil }
        return parts[index]
    }
}
