import Apps
import Hummingbird
import ServiceKit

/// Trains approaching a station (SeatCatcher contract 1.6, call 16).
struct IncomingRoutes {
    let incomings: Incomings

    struct TrainResponse: Encodable {
        var btrainNo: String
        var ordkey: String
        var barvlDt: String
        var arvlMsg2: String
        var arvlCd: Int
        var bstatnNm: String

        init(_ train: Incomings.Train) {
            self.btrainNo = train.arrival.trainNumber
            self.ordkey = train.orderKey
            self.barvlDt = String(train.seconds)
            self.arvlMsg2 = train.arrival.message
            self.arvlCd = train.arrival.code
            self.bstatnNm = train.arrival.terminal
        }
    }

    /// `GET /trains/incomings?lineNumber=&dep=&dest=` → 200, nearest first; 400 with an empty body if no line connects
    /// the stations; 503 while the arrivals API is unavailable.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let line = request.query("lineNumber"), let start = request.query("dep"), let end = request.query("dest")
        else { return .empty(.badRequest) }
        do {
            return try .json(try await incomings.trains(line: line, from: start, to: end).map(TrainResponse.init))
        } catch IncomingsError.noWay {
            return .empty(.badRequest)
        }
    }
}
