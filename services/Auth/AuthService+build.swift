import AsyncHTTPClient
import Contracts
import Hummingbird
import InternalClient
import Logging
import Outbox
import Postgres
import ServiceHost

/// Puts the auth service together: configuration → stores → domain → routes → application.
func buildAuth(_ configuration: AuthConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(
        try PostgresConfiguration(url: configuration.databaseURL, schema: "auth", applicationName: "auth"),
        logger: logger
    )
    let ring = KeyRing(
        store: SigningKeyStore(
            database: database,
            seal: Seal(secret: configuration.keySecret, purpose: "signing keys")
        ),
        schedule: KeySchedule(
            period: configuration.keyPeriod,
            lead: configuration.keyLead,
            afterlife: Double(App.allCases.map { configuration.lifetimes(of: $0).refresh }.max() ?? 0)
        ),
        logger: logger
    )
    let seats = InternalClient(
        to: "seats",
        at: configuration.seatsURLs,
        from: "auth",
        secret: configuration.host.internalSecret
    )
    let outbox = Outbox(subscribers: [
        Subscriber(.seats, to: [AuthEvents.AccountRegistered.self, AuthEvents.ProfileChanged.self], client: seats)
    ])
    let mint = TokenMint(ring: ring, lifetimes: { configuration.lifetimes(of: $0) })
    let sessions = Sessions(database: database, mint: mint)
    let routes = Routes(
        accounts: Accounts(
            database: database,
            sessions: sessions,
            hasher: PasswordHasher(
                cost: configuration.passwordCost,
                threads: configuration.passwordThreads,
                queueLimit: configuration.passwordQueue
            ),
            outbox: outbox
        ),
        sessions: sessions,
        profiles: Profiles(database: database, outbox: outbox),
        ring: ring,
        kakao: KakaoClient(baseURL: configuration.kakaoURL, appIDs: configuration.kakaoAppIDs, http: .shared),
        apple: AppleClient(baseURL: configuration.appleURL, audiences: configuration.appleAudiences, http: .shared),
        passengers: PassengerClient(seats: seats)
    )
    return try ServiceHost.application(
        "auth",
        configuration: configuration.host,
        apiDocument: PackageResources.openapi_yaml,
        services: [database, ring, OutboxRelay(outbox, database: database, logger: logger)],
        checks: [.init("database") { try await database.ping() }],
        logger: logger,
        prepare: {
            try await database.migrate(Migrations.all)
            try await ring.refresh()
        },
        routes: routes.add
    )
}
