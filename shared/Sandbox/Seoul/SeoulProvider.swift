import Hummingbird
import Subway

/// Seoul's realtime subway arrivals (`http://swopenAPI.seoul.go.kr`): which trains come to a station, and when.
///
/// Source: SeatCatcher contract 7. Errors are `{status, code, message, …}` with HTTP 200.
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

    func refusal(_ status: HTTPResponse.Status, at path: String) -> Response {
        (status == .notFound ? SeoulNotice.noSuchService : .outOfOrder).response(status)
    }
}
