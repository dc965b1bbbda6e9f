import Hummingbird
import Logging
import Outbox
import Postgres
import ServiceHost

/// Puts the seats service together: configuration → stores → domain → routes → application.
func buildSeats(_ configuration: SeatsConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(
        try PostgresConfiguration(url: configuration.databaseURL, schema: "seats", applicationName: "seats"),
        logger: logger
    )
    let stations = try StationData.stations()
    let inbox = Inbox(database: database, subscriptions: EventHandlers().subscriptions)
    let routes = Routes(
        catalogue: StationCatalogue(stations),
        passengers: PassengerRoutes(passengers: Passengers(database: database)),
        inbox: inbox
    )
    return try ServiceHost.application(
        "seats",
        configuration: configuration.host,
        apiDocument: PackageResources.openapi_yaml,
        services: [database, inbox],
        checks: [.init("database") { try await database.ping() }],
        logger: logger,
        prepare: {
            try await database.migrate(Migrations.all)
            try await StationStore(database: database).load(stations)
        },
        routes: routes.add
    )
}
