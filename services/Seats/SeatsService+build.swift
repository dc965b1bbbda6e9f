import Authentication
import Contracts
import Events
import Hummingbird
import Logging
import Postgres
import ServiceDatabase
import ServiceKit
import Subway

/// Assembles the seats service: configuration → stores → domain → routes → application.
func buildSeats(_ configuration: SeatsConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(configuration.database, logger: logger)
    let stations = try StationData.stations()
    let domain = SeatsDomain(configuration, database: database, stations: stations, logger: logger)
    func client(to service: ServiceName, at urls: [String]) -> InternalClient {
        InternalClient(to: service, at: urls, from: configuration.host)
    }
    let auth = client(to: .auth, at: configuration.authURLs)
    let notifications = client(to: .notifications, at: configuration.notificationsURLs)
    let outbox = Outbox(subscribers: [
        Subscriber(.auth, to: [SeatsEvents.AccountErased.self], client: auth),
        Subscriber(.notifications, to: [SeatsEvents.PassengerAlerted.self], client: notifications),
    ])
    let handlers = EventHandlers(passengers: domain.passengers, withdrawal: domain.withdrawal, outbox: outbox)
    // A handler locks cars, then passengers: several in one transaction would lock cars after passengers.
    let inbox = Inbox(database: database, subscriptions: handlers.subscriptions, outbox: outbox, isolatesEvents: true)
    let routes = Routes(domain, database: database, inbox: inbox)
    let keys = PublishedKeys(logger: logger) { try await auth.get("/internal/keys", as: JWKS.self) }
    let live = Live(
        domain,
        database: database,
        keys: keys,
        verifier: AccessTokenVerifier(leeway: configuration.tokenLeeway),
        logger: logger
    )
    let timers = Timers(
        database: database,
        seating: domain.seating,
        exchange: domain.exchange,
        tracker: domain.tracker,
        alerts: AlertSender(database: database, outbox: outbox),
        logger: logger
    )
    let retention = Retention(database: database, responses: domain.requests)
    let freeAliases = PeriodicJob("train aliases", every: .seconds(60)) {
        let limit = 1_000
        return try await TrainAliasStore().free(limit: limit, in: database) == limit
    }
    let cleanup = PeriodicJobs([retention.job, freeAliases], logger: logger)
    return try ServiceHost.application(
        "seats",
        configuration: configuration.host,
        database: database,
        migrations: Migrations.all,
        apiDocument: PackageResources.openapi_json,
        services: [
            inbox, keys, live.feed, timers, cleanup, OutboxRelay(outbox, database: database, logger: logger),
        ],
        checks: [.init("live feed") { try await live.feed.checkListening() }],
        sockets: [live.socket],
        logger: logger,
        prepare: { try await StationStore(database: database).load(stations) },
        routes: routes.add
    )
}

extension Routes {
    init(_ domain: SeatsDomain, database: PostgresClient, inbox: Inbox) {
        self.init(
            catalogue: domain.catalogue,
            incomings: domain.incomings,
            cars: domain.cars,
            aliases: domain.aliases,
            seating: domain.seating,
            exchange: domain.exchange,
            credits: domain.credits,
            journeys: domain.journeys,
            passengers: PassengerRoutes(passengers: domain.passengers),
            operators: OperatorRoutes(cars: domain.lookup),
            statuses: RidingStatuses(database: database, aliases: domain.aliases),
            tags: Tags(database: database),
            reports: Reports(database: database),
            favorites: Favorites(database: database),
            requests: domain.requests,
            inbox: inbox
        )
    }
}
