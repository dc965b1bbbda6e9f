import FoundationEssentials
import Hummingbird
import Subway
import Values

/// Seoul's open data: realtime subway arrivals (`http://swopenAPI.seoul.go.kr`), and the calendar of cultural events
/// (`http://openapi.seoul.go.kr:8088`).
///
/// Sources: SeatCatcher contract 7, where errors are `{status, code, message, …}`, and Culture contract 5.1, where they
/// are `{RESULT: {CODE, MESSAGE}}`; both with HTTP 200.
struct SeoulProvider: Provider {
    let name = "seoul"
    let controls = "trains"
    private let board: ArrivalBoard

    init() throws {
        board = ArrivalBoard(try StationData.stations(), placed: PlacedTrains())
    }

    func addRoutes(to group: RouterGroup<SandboxContext>) {
        SeoulRoutes(board: board).add(to: group)
    }

    func addControls(to group: RouterGroup<SandboxContext>) {
        TrainControls(board: board).add(to: group)
    }

    func respondToUnknownPath(_ request: Request) throws -> Response {
        let path = path(of: request)
        guard request.method == .get, let events = CulturalEventRequest(path) else {
            return refusal(.notFound, at: path)
        }
        return try events.answer(on: SeoulTime.date(of: .now))
    }

    func refusal(_ status: HTTPResponse.Status, at path: String) -> Response {
        if CulturalEventRequest(path) != nil { return OpenDataNotice.outOfOrder.response(status) }
        return (status == .notFound ? SeoulNotice.noSuchService : .outOfOrder).response(status)
    }
}
