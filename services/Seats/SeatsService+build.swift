import AsyncHTTPClient
import Hummingbird
import Logging
import Outbox
import Postgres
import ServiceDatabase
import ServiceHost
import Subway

/// Puts the seats service together: configuration → stores → domain → routes → application.
func buildSeats(_ configuration: SeatsConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(configuration.database, logger: logger)
    let stations = try StationData.stations()
    let inbox = Inbox(database: database, subscriptions: EventHandlers().subscriptions)
    let routes = Routes(configuration, database: database, stations: stations, inbox: inbox, logger: logger)
    return try ServiceHost.application(
        "seats",
        configuration: configuration.host,
        database: database,
        migrations: Migrations.all,
        apiDocument: PackageResources.openapi_yaml,
        services: [inbox],
        logger: logger,
        prepare: { try await StationStore(database: database).load(stations) },
        routes: routes.add
    )
}

extension Routes {
    init(
        _ configuration: SeatsConfiguration,
        database: PostgresClient,
        stations: [Station],
        inbox: Inbox,
        logger: Logger
    ) {
        let map = LineMap(stations)
        let sightings = Sightings(database: database, stations: stations, map: map, logger: logger)
        let arrivals = Arrivals(configuration, sightings: sightings)
        self.init(
            catalogue: StationCatalogue(stations),
            incomings: Incomings(map: map, arrivals: arrivals),
            passengers: PassengerRoutes(passengers: Passengers(database: database)),
            inbox: inbox
        )
    }
}

extension Arrivals {
    /// The arrivals service of the configuration; every new answer is recorded.
    convenience init(_ configuration: SeatsConfiguration, sightings: Sightings) {
        let seoul = SeoulClient(baseURL: configuration.seoulURL, key: configuration.seoulKey, http: .shared)
        self.init(
            freshness: configuration.arrivalsFreshness,
            fetch: { try await seoul.arrivals(at: $0) },
            observer: { await sightings.record($1, at: $0) }
        )
    }
}
