import FoundationEssentials
import Logging
import Postgres
import Subway

/// Remembers of every train that is announced anywhere where it is and where it ends.
struct Sightings: Sendable {
    let database: PostgresClient
    let store: SightingStore
    /// Every station by the arrivals service's name for it.
    private let stations: [String: [Station]]
    private let logger: Logger

    /// Nobody waits longer for their trains because of this.
    private static let patience = Duration.milliseconds(500)

    init(database: PostgresClient, stations: [Station], map: LineMap, logger: Logger) {
        self.database = database
        self.store = SightingStore(map: map)
        self.stations = Dictionary(grouping: stations, by: \.arrivalsName)
        self.logger = logger
    }

    /// Records what was announced at a station. Gives up quietly when the database is slow or away: the next answer tells
    /// the same again.
    func record(_ arrivals: [Arrival], at name: String) async {
        let entries = arrivals.compactMap { entry($0, at: name) }
        guard !entries.isEmpty else { return }
        do {
            try await withDeadline(Self.patience) {
                try await store.save(entries, in: database)
                try await store.deleteOld(in: database)
            }
        } catch {
            logger.warning("sightings were not recorded", metadata: ["error": "\(error)"])
        }
    }

    private func entry(_ arrival: Arrival, at name: String) -> SightingStore.Entry? {
        guard let station = stations[name]?.first(where: { $0.line == arrival.line }),
            let seconds = arrival.secondsLeft(to: station.id, on: store.map, now: arrival.receivedAt)
        else { return nil }
        return SightingStore.Entry(
            arrival: arrival,
            station: station.id,
            seconds: seconds,
            terminal: TrainDestination.terminal(of: arrival, on: store.map)
        )
    }
}
