import FoundationEssentials
import Subway

/// The trains that a passenger at a station can take (SeatCatcher contract 1.6, call 16).
struct Incomings: Sendable {
    let map: LineMap
    let arrivals: Arrivals
    let aliases: TrainAliases

    /// An approaching train and its remaining time.
    struct Train: Sendable, Equatable {
        var arrival: Arrival
        /// Seconds until the arrival at the platform.
        var seconds: Int
        /// The train's alias; nil while there are more trains than aliases.
        var alias: String?

        /// The order key with the alias as its third to fifth characters, which older builds of the app take for the
        /// train's code.
        var orderKey: String {
            guard let alias else { return arrival.orderKey }
            return arrival.orderKey.prefix(2) + alias + arrival.orderKey.dropFirst(5)
        }
    }

    /// Trains from a station towards another of the same line, nearest first.
    ///
    /// - Throws: `IncomingsError`, `ArrivalsUnavailable`.
    func trains(line: String, from start: String, to end: String, now: Date = .now) async throws -> [Train] {
        guard let line = Line(parsing: line), let start = map.station(named: start, on: line),
            let end = map.station(named: end, on: line), let route = map.route(from: start.id, to: end.id)
        else { throw IncomingsError.noWay }
        let trains = try await arrivals.at(start)
            .filter { $0.line == line && $0.hasReadableOrderKey }
            .filter { $0.direction == route.direction || map.isInLoop(start.id) }
            .filter { $0.serves(route, on: map) }
            .compactMap { arrival -> Train? in
                let isHere = ArrivalCode(rawValue: arrival.code)?.isHere == true
                guard let seconds = isHere ? 0 : arrival.secondsLeft(to: start.id, on: map, now: now) else {
                    return nil
                }
                return Train(arrival: arrival, seconds: seconds)
            }
            .sorted { ($0.seconds, $0.arrival.trainNumber) < ($1.seconds, $1.arrival.trainNumber) }
        let aliases = try await aliases.aliases(of: trains.map(\.arrival.trainNumber))
        return trains.map { train in
            Train(arrival: train.arrival, seconds: train.seconds, alias: aliases[train.arrival.trainNumber])
        }
    }
}

enum IncomingsError: Error, Equatable {
    /// Unknown line or station, stations of different lines, or twice the same station.
    case noWay
}

extension Arrival {
    /// Whether the client can parse the order key: five digits, then a destination that is not all digits. The client
    /// crashes on a shorter one.
    fileprivate var hasReadableOrderKey: Bool {
        let digits = orderKey.prefix(5)
        let rest = orderKey.dropFirst(5)
        return digits.count == 5 && digits.allSatisfy { $0.isASCII && $0.isNumber }
            && rest.contains { !($0.isASCII && $0.isNumber) }
    }
}
