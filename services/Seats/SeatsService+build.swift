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
    let domain = SeatsDomain(database: database, stations: stations, policy: configuration.policy)
    let handlers = EventHandlers(passengers: domain.passengers, withdrawal: domain.withdrawal)
    let inbox = Inbox(database: database, subscriptions: handlers.subscriptions)
    let routes = Routes(domain, database: database, inbox: inbox)
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
    init(_ domain: SeatsDomain, database: PostgresClient, inbox: Inbox) {
        self.init(
            catalogue: domain.catalogue,
            cars: domain.cars,
            seating: domain.seating,
            exchange: domain.exchange,
            credits: domain.credits,
            journeys: domain.journeys,
            passengers: PassengerRoutes(passengers: domain.passengers),
            statuses: RidingStatuses(database: database),
            tags: Tags(database: database),
            reports: Reports(database: database),
            favorites: Favorites(database: database),
            inbox: inbox
        )
    }
}
