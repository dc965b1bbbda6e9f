import FoundationEssentials
import Logging
import Postgres
import ServiceKit
import Subway

/// Records the position and the terminal of every announced train.
struct TrainPositions: Sendable {
    let database: PostgresClient
    let store: TrainPositionStore
    private let trains = TrainStore()
    private let aliases = TrainAliasStore()
    /// Stations by their name in the arrivals API.
    private let stations: [String: [Station]]
    private let logger: Logger

    /// Timeout, so that recording does not delay the response.
    private static let timeout = Duration.milliseconds(500)

    init(database: PostgresClient, stations: [Station], map: LineMap, logger: Logger) {
        self.database = database
        self.store = TrainPositionStore(map: map)
        self.stations = Dictionary(grouping: stations, by: \.arrivalsName)
        self.logger = logger
    }

    /// Records the arrivals of a station. Errors and timeouts are only logged, since the next response contains the
    /// same trains.
    func record(_ arrivals: [Arrival], at name: String) async {
        let entries = arrivals.compactMap { entry($0, at: name) }
        guard !entries.isEmpty else { return }
        do {
            try await withTimeout(Self.timeout) {
                try await store.save(entries, in: database)
                let codes = Set(entries.map(\.arrival.trainNumber)).sorted()
                try await database.transaction { transaction in
                    try await trains.sight(codes, in: transaction)
                    try await aliases.assign(to: codes, in: transaction)
                }
            }
        } catch {
            logger.warning("train positions: recording failed", error: error)
        }
    }

    private func entry(_ arrival: Arrival, at name: String) -> TrainPositionStore.Entry? {
        guard let station = stations[name]?.first(where: { $0.line == arrival.line }),
            let seconds = arrival.secondsLeft(to: station.id, on: store.map, now: arrival.receivedAt)
        else { return nil }
        return TrainPositionStore.Entry(
            arrival: arrival,
            station: station.id,
            seconds: seconds,
            terminal: TrainDestination.terminal(of: arrival, on: store.map)
        )
    }
}
