import Contracts
import Events
import Files
import Hummingbird
import Logging
import Postgres
import Profiles
import ServiceDatabase
import ServiceKit

/// Assembles the chat service: configuration → stores → domain → routes → application.
func buildChat(_ configuration: ChatConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(configuration.database, logger: logger)
    func client(to service: ServiceName, at urls: [String]) -> InternalClient {
        InternalClient(to: service, at: urls, from: configuration.host)
    }
    let auth = client(to: .auth, at: configuration.authURLs)
    let community = client(to: .community, at: configuration.communityURLs)
    let notifications = client(to: .notifications, at: configuration.notificationsURLs)
    let outbox = Outbox(subscribers: [
        Subscriber(.auth, to: [ChatEvents.AccountErased.self], client: auth),
        Subscriber(
            .notifications,
            to: [
                ChatEvents.MessageSent.self, ChatEvents.MessagesRead.self, ChatEvents.MessageTakenBack.self,
                ChatEvents.RoomEnded.self,
            ],
            client: notifications
        ),
    ])
    let domain = ChatDomain(
        configuration,
        database: database,
        outbox: outbox,
        people: People(of: EventHandlers.apps, database: database, auth: auth),
        logger: logger
    )
    let handlers = EventHandlers(domain)
    let inbox = Inbox(database: database, subscriptions: handlers.subscriptions, outbox: outbox)
    let live = Live(domain, database: database, auth: auth, community: community, configuration, logger: logger)
    return try ServiceHost.application(
        "chat",
        configuration: configuration.host,
        database: database,
        migrations: Migrations.all,
        apiDocument: PackageResources.openapi_json,
        services: [
            inbox,
            domain.presences,
            domain.feed,
            live.companions,
            PeriodicJobs([domain.attachments.uploads.collection, domain.retention.job], logger: logger),
            OutboxRelay(outbox, database: database, logger: logger),
        ],
        checks: [.init("live feed") { try await domain.feed.checkListening() }],
        sockets: live.sockets,
        logger: logger,
        prepare: {
            try await domain.attachments.uploads.prepare()
            try await domain.presences.prepare()
            await live.begin()
        },
        routes: Routes(domain, live: live, inbox: inbox).add
    )
}
