import AsyncHTTPClient
import FoundationEssentials
import Logging
import Postgres
import ServiceDatabase
import ServiceKit
import Subway

/// The use cases of the service.
struct SeatsDomain: Sendable {
    let catalogue: StationCatalogue
    let aliases: TrainAliases
    let incomings: Incomings
    let cars: Cars
    let seating: Seating
    let exchange: SeatExchange
    let credits: Credits
    let journeys: Journeys
    let tracker: JourneyTracker
    let passengers: Passengers
    let withdrawal: Withdrawal
    let lookup: CarLookup
    let requests: IdempotencyKeys

    init(_ configuration: SeatsConfiguration, database: PostgresClient, stations: [Station], logger: Logger) {
        let map = LineMap(stations)
        let policy = configuration.policy
        let sightings = TrainPositions(database: database, stations: stations, map: map, logger: logger)
        let arrivals = Arrivals(configuration, database: database, sightings: sightings)
        catalogue = StationCatalogue(stations)
        let positions = TrainPositionStore(map: map)
        let leases = Leases(catalogue: catalogue, sightings: positions, policy: policy)

        aliases = TrainAliases(database: database)
        incomings = Incomings(map: map, arrivals: arrivals, aliases: aliases)
        cars = Cars(database: database)
        seating = Seating(database: database, leases: leases, policy: policy)
        exchange = SeatExchange(database: database, leases: leases, policy: policy)
        credits = Credits(database: database, policy: policy)
        journeys = Journeys(
            database: database,
            catalogue: catalogue,
            map: map,
            aliases: aliases,
            leases: leases,
            policy: policy
        )
        tracker = JourneyTracker(database: database, journeys: journeys, map: map, arrivals: arrivals)
        passengers = Passengers(database: database, policy: policy)
        requests = IdempotencyKeys(database: database, now: { .now })
        withdrawal = Withdrawal(journeys: journeys, policy: policy)
        lookup = CarLookup(database: database, positions: positions)
    }
}

extension Arrivals {
    /// The arrivals API of the configuration; records the train positions of every new response.
    fileprivate convenience init(
        _ configuration: SeatsConfiguration,
        database: PostgresClient,
        sightings: TrainPositions
    ) {
        let seoul = SeoulClient(baseURL: configuration.seoulURL, key: configuration.seoulKey, http: .untraced)
        self.init(
            database: database,
            policy: configuration.arrivals,
            fetch: { try await seoul.arrivals(at: $0) },
            observer: { await sightings.record($1, at: $0) }
        )
    }
}
