import AsyncHTTPClient
import Contracts
import Hummingbird
import InternalClient
import Logging
import Outbox
import Postgres
import ServiceDatabase
import ServiceHost

/// Puts the auth service together: configuration → stores → domain → routes → application.
func buildAuth(_ configuration: AuthConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(configuration.database, logger: logger)
    let ring = KeyRing(configuration, database: database, logger: logger)
    let seats = InternalClient(
        to: "seats",
        at: configuration.seatsURLs,
        from: "auth",
        secret: configuration.host.internalSecret
    )
    let outbox = Outbox(subscribers: [
        Subscriber(
            .seats,
            to: [
                AuthEvents.AccountRegistered.self, AuthEvents.ProfileChanged.self, AuthEvents.AccountWithdrawn.self,
                AuthEvents.SessionRevoked.self,
            ],
            client: seats
        )
    ])
    let links = SocialLinkStore(seal: Seal(secret: configuration.keySecret, purpose: "tokens of providers"))
    let steps = WithdrawalSteps(
        database: database,
        store: WithdrawalStore(),
        links: links,
        unlinker: Unlinker(),
        outbox: outbox,
        logger: logger
    )
    let inbox = Inbox(database: database, subscriptions: EventHandlers(steps: steps).subscriptions)
    let revocations = RevocationFeed(database: database, lifetimes: configuration.lifetimes)
    let routes = Routes(
        configuration,
        database: database,
        ring: ring,
        revocations: revocations,
        links: links,
        inbox: inbox,
        seats: seats,
        outbox: outbox
    )
    return try ServiceHost.application(
        "auth",
        configuration: configuration.host,
        database: database,
        migrations: Migrations.all,
        apiDocument: PackageResources.openapi_yaml,
        services: [
            ring, revocations, inbox, Housekeeping(database: database, logger: logger),
            WithdrawalTimers(withdrawal: routes.withdrawal, steps: steps, logger: logger),
            OutboxRelay(outbox, database: database, logger: logger),
        ],
        checks: [.init("signing key") { _ = try ring.signing() }],
        logger: logger,
        prepare: { try await ring.refresh() },
        routes: routes.add
    )
}

extension Routes {
    init(
        _ configuration: AuthConfiguration,
        database: PostgresClient,
        ring: KeyRing,
        revocations: RevocationFeed,
        links: SocialLinkStore,
        inbox: Inbox,
        seats: InternalClient,
        outbox: Outbox
    ) {
        let mint = TokenMint(ring: ring, lifetimes: configuration.lifetimes)
        let allowances = Allowances(
            database: database,
            secret: configuration.keySecret,
            limits: configuration.limits
        )
        let sessions = Sessions(database: database, mint: mint, allowances: allowances, outbox: outbox)
        let hasher = PasswordHasher(
            cost: configuration.passwordCost,
            threads: configuration.passwordThreads,
            queueLimit: configuration.passwordQueue
        )
        let accounts = Accounts(
            database: database,
            links: links,
            sessions: sessions,
            hasher: hasher,
            allowances: allowances,
            outbox: outbox
        )
        self.init(
            accounts: accounts,
            sessions: sessions,
            profiles: Profiles(database: database, outbox: outbox),
            revocations: revocations,
            withdrawal: Withdrawal(
                database: database,
                store: WithdrawalStore(),
                sessions: sessions,
                outbox: outbox,
                grace: configuration.leavingTime
            ),
            inbox: inbox,
            ring: ring,
            kakao: KakaoClient(configuration.providers, http: .shared),
            apple: AppleClient(configuration.providers, http: .shared),
            google: GoogleClient(configuration.providers, http: .shared),
            sms: SMSClient(configuration.providers, http: .shared),
            members: Members(database: database, accounts: accounts, outbox: outbox),
            companions: Companions(
                database: database,
                pending: PendingSignUpStore(seal: links.seal),
                accounts: accounts,
                sessions: sessions,
                outbox: outbox
            ),
            codes: PhoneCodes(
                database: database,
                allowances: allowances,
                hash: KeyedHash(secret: configuration.keySecret, purpose: "codes for phones")
            ),
            blocked: BlockedNumbers(database: database),
            tickets: Tickets(
                database: database,
                hash: KeyedHash(secret: configuration.keySecret, purpose: "tickets of sockets")
            ),
            passengers: PassengerClient(seats: seats)
        )
    }
}

extension KeyRing {
    convenience init(_ configuration: AuthConfiguration, database: PostgresClient, logger: Logger) {
        let longestRefresh = App.allCases.map { configuration.lifetimes(of: $0).refresh }.max() ?? 0
        self.init(
            store: SigningKeyStore(
                database: database,
                seal: Seal(secret: configuration.keySecret, purpose: "signing keys")
            ),
            schedule: KeySchedule(
                period: configuration.keyPeriod,
                lead: configuration.keyLead,
                afterlife: Double(longestRefresh)
            ),
            logger: logger
        )
    }
}
