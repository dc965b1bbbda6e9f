import FoundationEssentials
import Hummingbird

/// `GET /api/subway/{key}/json/realtimeStationArrival/{start}/{end}/{stationName}`.
struct SeoulRoutes: Sendable {
    let board: ArrivalBoard

    func add(to group: RouterGroup<SandboxContext>) {
        group.get("api/subway/:key/:type/realtimeStationArrival/:start/:end/:station", use: arrivals)
    }

    private struct ArrivalAnswer: Encodable {
        var errorMessage: SeoulNotice
        var realtimeArrivalList: [ArrivalRow]
    }

    private func arrivals(_ request: Request, _ context: SandboxContext) throws -> Response {
        guard context.parameters.get("type") == "json" else { throw SeoulNotice.badFileType }
        guard let start = context.parameters.get("start", as: Int.self), start >= 0,
            let end = context.parameters.get("end", as: Int.self)
        else { throw SeoulNotice.badPosition }
        guard start <= end else { throw SeoulNotice.endBeforeStart }
        guard end - start < 1000 else { throw SeoulNotice.tooManyRows }

        var rows = board.rows(of: stationName(context), at: .now)
        let total = rows.count
        let chosen = max(start, 1)...max(end, 1)
        rows = rows.enumerated().compactMap { index, row in
            guard chosen.contains(index + 1) else { return nil }
            var row = row
            row.rowNum = index + 1
            row.totalCount = total
            return row
        }
        guard !rows.isEmpty else { throw SeoulNotice.nothing }
        for index in rows.indices { rows[index].selectedCount = rows.count }
        return try .seoulJSON(ArrivalAnswer(errorMessage: .found(total), realtimeArrivalList: rows))
    }

    /// The last component of the path, percent-decoded.
    private func stationName(_ context: SandboxContext) -> String {
        let field = "station=\(context.parameters.get("station") ?? "")"
        return (try? URLEncodedFormDecoder().decode([String: String].self, from: field))?["station"] ?? ""
    }
}
