import AppWire
import FoundationEssentials
import Hummingbird
import ServiceHost
import Subway

/// `POST /_control/trains`: a train is put on a line; `DELETE /_control/trains`: all of these leave.
struct TrainControls: Sendable {
    let board: ArrivalBoard

    func add(to group: RouterGroup<SandboxContext>) {
        group.post(use: place)
        group.delete(use: removeAll)
    }

    private struct TrainRequest: Decodable {
        /// 1 to 8 characters, as the arrivals service numbers trains.
        var btrainNo: String
        /// `2` or `LINE_2`.
        var line: String
        /// By the name of the station data or of the arrivals service.
        var station: String
        /// 0 for up and inner, 1 for down and outer.
        var direction: Int
        /// Until the train arrives at `station`.
        var seconds: Int
        /// The stop where it ends.
        var destination: String
    }

    private func place(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let body = try await request.json(TrainRequest.self, context)
        guard (1...8).contains(body.btrainNo.count) else {
            throw Problem(.invalid, message: "btrainNo must have 1 to 8 characters.")
        }
        guard let line = Line(parsing: body.line) else { throw Problem(.invalid, message: "line is unknown.") }
        let station = try stop(body.station, on: line, field: "station")
        let destination = try stop(body.destination, on: line, field: "destination")
        guard let direction = Direction(rawValue: body.direction) else {
            throw Problem(.invalid, message: "direction must be 0 or 1.")
        }
        guard (-600...7200).contains(body.seconds) else {
            throw Problem(.invalid, message: "seconds must be from -600 to 7200.")
        }
        guard let ahead = board.map.hops(from: station, to: destination, going: direction) else {
            throw Problem(.invalid, message: "destination does not lie in that direction from station.")
        }
        let behind = board.map.hops(into: station, going: direction).first
        let now = Int(Date.now.timeIntervalSince1970)
        board.placed.place(
            PlacedTrains.Train(
                number: body.btrainNo,
                course: Course(line: line, hops: (behind.map { [$0] } ?? []) + ahead),
                startsAt: now + body.seconds - (behind?.seconds ?? 0),
                destination: board.map.name(destination)
            ),
            now: now
        )
        return .empty(.noContent)
    }

    private func removeAll(_ request: Request, _ context: SandboxContext) -> Response {
        board.placed.removeAll()
        return .empty(.noContent)
    }

    private func stop(_ name: String, on line: Line, field: String) throws -> Int64 {
        guard let id = board.map.station(named: name, on: line)?.id else {
            throw Problem(.invalid, message: "\(field) is no station of line \(line.number).")
        }
        return id
    }
}
