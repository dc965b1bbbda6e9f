import Apps
import Hummingbird
import ServiceKit
import Subway

/// Station search (SeatCatcher contract 1.6, calls 17 and 18).
struct StationRoutes {
    let catalogue: StationCatalogue

    struct StationResponse: Encodable {
        var id: StationID
        var name: String
        var line: String
        var timeMinSec: String
        var acmlTime: Int
        var distKm: Double
        var acmlDist: Double

        init(_ station: Station) {
            self.id = station.id
            self.name = station.name
            self.line = station.line.number
            self.timeMinSec = station.runningTime
            self.acmlTime = station.totalSeconds
            self.distKm = station.distanceKm
            self.acmlDist = station.totalKm
        }
    }

    /// `GET /stations?keyword=&line=&order=` → 200, 204 when nothing matches, 400 with an empty body for an unknown line.
    func search(_ request: Request, _ context: SignedInContext) throws -> Response {
        var line: Line?
        if let text = request.query("line"), !text.isEmpty {
            line = Line(parsing: text)
            guard line != nil else { return .empty(.badRequest) }
        }
        let keyword = request.query("keyword").flatMap { $0.isEmpty ? nil : $0 }
        let order: StationCatalogue.Order = request.query("order") == "down" ? .down : .up
        let found = catalogue.search(keyword: keyword, line: line, order: order)
        return found.isEmpty ? .empty(.noContent) : try .json(found.map(StationResponse.init))
    }

    /// `GET /stations/{stationId}` → 200, 404 with an empty body.
    func show(_ request: Request, _ context: SignedInContext) throws -> Response {
        guard let id = context.parameters.get("stationId", as: StationID.self) else {
            throw Problem(.badParameter, message: "stationId must be a whole number.")
        }
        guard let station = catalogue.station(id: id) else { return .empty(.notFound) }
        return try .json(StationResponse(station))
    }
}
