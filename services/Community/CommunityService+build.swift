import Contracts
import Events
import Files
import Hummingbird
import Logging
import Postgres
import Profiles
import ServiceDatabase
import ServiceKit

/// Assembles the community service: configuration → stores → domain → routes → application.
func buildCommunity(_ configuration: CommunityConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(configuration.database, logger: logger)
    func client(to service: ServiceName, at urls: [String]) -> InternalClient {
        InternalClient(to: service, at: urls, from: configuration.host)
    }
    let auth = client(to: .auth, at: configuration.authURLs)
    let chat = InternalClient(toChatOf: configuration).map { client in
        Subscriber(.chat, to: [CommunityEvents.CompanionPostDeleted.self], client: client)
    }
    let subscribers = [
        Subscriber(.auth, to: [CommunityEvents.AccountErased.self], client: auth),
        Subscriber(
            .notifications,
            to: [CommunityEvents.CommentWritten.self, CommunityEvents.Followed.self],
            client: client(to: .notifications, at: configuration.notificationsURLs)
        ),
        chat,
    ]
    let outbox = Outbox(subscribers: subscribers.compactMap(\.self))
    let domain = CommunityDomain(
        configuration,
        database: database,
        outbox: outbox,
        people: People(of: EventHandlers.apps, database: database, auth: auth),
        auth: auth,
        logger: logger
    )
    let handlers = EventHandlers(domain)
    let inbox = Inbox(database: database, subscriptions: handlers.subscriptions, outbox: outbox)
    return try ServiceHost.application(
        "community",
        configuration: configuration.host,
        database: database,
        migrations: Migrations.all,
        apiDocument: PackageResources.openapi_json,
        services: [
            inbox,
            PeriodicJobs(domain.jobs, logger: logger),
            OutboxRelay(outbox, database: database, logger: logger),
        ],
        logger: logger,
        prepare: { try await domain.attachments.uploads.prepare() },
        routes: Routes(domain, inbox: inbox).add
    )
}
