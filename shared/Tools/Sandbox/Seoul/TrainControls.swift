import Apps
import FoundationEssentials
import Hummingbird
import ServiceKit
import Subway

/// `GET /_control/trains`: the placed trains; `POST`: places a train on a line; `DELETE`: removes all placed trains.
struct TrainControls: Sendable {
    let board: ArrivalBoard

    func add(to group: RouterGroup<SandboxContext>) {
        group.get(use: list)
        group.post(use: place)
        group.delete(use: removeAll)
    }

    private struct TrainRequest: Decodable {
        /// The train number of 1 to 8 characters, as at the arrivals service.
        var btrainNo: Word
        /// `2` or `LINE_2`.
        var line: Word
        /// The name in the station data or at the arrivals service.
        var station: String
        /// 0, `up`, `상행` or `내선`; 1, `down`, `하행` or `외선`.
        var direction: Word
        /// Seconds until the train arrives at `station`.
        var seconds: Int
        /// The announced destination. The train ends there if it is a stop ahead, otherwise at the end of the line.
        var destination: String
    }

    private func list(_ request: Request, _ context: SandboxContext) throws -> Response {
        let trains = board.placed.all.map { train in
            ["number": train.number, "line": train.course.line.number, "destination": train.destination]
        }
        return try .snakeJSON(["trains": trains])
    }

    private func place(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let body = try await request.json(TrainRequest.self, context)
        guard (1...8).contains(body.btrainNo.text.count) else {
            throw Problem(.invalid, message: "btrainNo must have 1 to 8 characters.")
        }
        guard let line = Line(parsing: body.line.text) else { throw Problem(.invalid, message: "line is unknown.") }
        guard let station = board.map.station(named: body.station, on: line)?.id else {
            throw Problem(.invalid, message: "station is no station of line \(line.number).")
        }
        guard let direction = Direction(word: body.direction.text) else {
            throw Problem(.invalid, message: "direction must be 0 (up, inner) or 1 (down, outer).")
        }
        try Problem.check(body.seconds, "seconds", in: -600...7200)
        guard !body.destination.isEmpty else { throw Problem(.invalid, message: "destination must not be empty.") }
        let destination = board.map.station(named: body.destination, on: line)
        let behind = board.map.hops(into: station, going: direction).prefix(1)
        let hops = behind + ahead(from: station, to: destination?.id, going: direction)
        guard !hops.isEmpty else { throw Problem(.invalid, message: "No train of that direction stops at station.") }
        let now = Int(Date.now.timeIntervalSince1970)
        board.placed.place(
            PlacedTrains.Train(
                number: body.btrainNo.text,
                course: Course(line: line, hops: Array(hops)),
                startsAt: now + body.seconds - (behind.first?.seconds ?? 0),
                destination: destination?.name ?? body.destination
            ),
            now: now
        )
        return .empty(.noContent)
    }

    /// The hops of a train from a stop to its destination, or to the last stop in its direction.
    private func ahead(from station: StationID, to destination: StationID?, going direction: Direction) -> [Hop] {
        if destination == station { return [] }
        if let destination, let hops = board.map.hops(from: station, to: destination, going: direction) { return hops }
        var hops: [Hop] = []
        var passed: Set<StationID> = [station]
        var stop = station
        while let hop = board.map.hops(from: stop).first(where: { $0.direction == direction }),
            passed.insert(hop.to).inserted
        {
            hops.append(hop)
            stop = hop.to
        }
        return hops
    }

    private func removeAll(_ request: Request, _ context: SandboxContext) -> Response {
        board.placed.removeAll()
        return .empty(.noContent)
    }
}

/// A text, or a number as text.
private struct Word: Decodable {
    var text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try (try? container.decode(Int.self)).map(String.init) ?? container.decode(String.self)
    }
}

extension Direction {
    /// A direction by its digit, its English name or that of the arrivals service.
    fileprivate init?(word: String) {
        switch word.lowercased() {
        case "0", "up", "inner", "상행", "내선": self = .up
        case "1", "down", "outer", "하행", "외선": self = .down
        default: return nil
        }
    }
}
