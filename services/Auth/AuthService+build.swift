import Contracts
import Events
import Files
import Hummingbird
import Logging
import Postgres
import ServiceDatabase
import ServiceKit

/// Assembles the auth service: configuration → stores → domain → routes → application.
func buildAuth(_ configuration: AuthConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(configuration.database, logger: logger)
    func client(to service: ServiceName, at urls: [String]) -> InternalClient {
        InternalClient(to: service, at: urls, from: configuration.host)
    }
    let seats = client(to: .seats, at: configuration.seatsURLs)
    let community = client(to: .community, at: configuration.communityURLs)
    let profiles: [any Event.Type] = [
        AuthEvents.AccountRegistered.self, AuthEvents.ProfileChanged.self, AuthEvents.AccountWithdrawn.self,
    ]
    let sessions: [any Event.Type] = [AuthEvents.SessionRevoked.self]
    let devices: [any Event.Type] = [
        AuthEvents.PushTokenReceived.self, AuthEvents.NewDeviceSignedIn.self, AuthEvents.SessionUsedElsewhere.self,
    ]
    let outbox = Outbox(subscribers: [
        Subscriber(.seats, to: profiles + sessions, client: seats),
        Subscriber(.workforce, to: profiles, client: client(to: .workforce, at: configuration.workforceURLs)),
        Subscriber(.estate, to: profiles, client: client(to: .estate, at: configuration.estateURLs)),
        Subscriber(.community, to: profiles, client: community),
        Subscriber(.chat, to: profiles + sessions, client: client(to: .chat, at: configuration.chatURLs)),
        Subscriber(.payments, to: profiles, client: client(to: .payments, at: configuration.paymentsURLs)),
        Subscriber(
            .notifications,
            to: profiles + sessions + devices,
            client: client(to: .notifications, at: configuration.notificationsURLs)
        ),
    ])
    let domain = AuthDomain(
        configuration,
        database: database,
        outbox: outbox,
        seats: seats,
        community: community,
        logger: logger
    )
    let inbox = Inbox(
        database: database,
        subscriptions: EventHandlers(steps: domain.steps).subscriptions,
        outbox: outbox
    )
    let ring = domain.ring
    return try ServiceHost.application(
        "auth",
        configuration: configuration.host,
        database: database,
        migrations: Migrations.all,
        apiDocument: PackageResources.openapi_json,
        services: [
            ring, domain.revocations, domain.notices, inbox,
            PeriodicJobs(domain.jobs(database), logger: logger),
            OutboxRelay(outbox, database: database, logger: logger),
        ],
        checks: [.init("signing key") { _ = try ring.signing() }],
        logger: logger,
        prepare: {
            try await ring.refresh()
            try await domain.images.uploads.prepare()
        },
        routes: Routes(domain, inbox: inbox).add
    )
}

extension Routes {
    init(_ domain: AuthDomain, inbox: Inbox) {
        self.init(
            accounts: domain.accounts,
            sessions: domain.sessions,
            profiles: domain.profiles,
            people: domain.people,
            images: domain.images,
            graph: domain.graph,
            revocations: domain.revocations,
            withdrawal: domain.withdrawal,
            notices: domain.notices,
            inbox: inbox,
            ring: domain.ring,
            kakao: domain.kakao,
            apple: domain.apple,
            google: domain.google,
            sms: domain.sms,
            members: domain.members,
            companions: domain.companions,
            codes: domain.codes,
            blocked: domain.blocked,
            tickets: domain.tickets,
            passengers: domain.passengers
        )
    }
}
