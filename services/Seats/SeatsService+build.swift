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
    let routes = Routes(database: database, stations: stations, inbox: inbox)
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
    init(database: PostgresClient, stations: [Station], inbox: Inbox) {
        self.init(
            catalogue: StationCatalogue(stations),
            passengers: PassengerRoutes(passengers: Passengers(database: database)),
            statuses: RidingStatuses(database: database),
            tags: Tags(database: database),
            reports: Reports(database: database),
            favorites: Favorites(database: database),
            inbox: inbox
        )
    }
}
