import Contracts
import Hummingbird
import InternalClient
import Logging
import Outbox
import Postgres
import ServiceDatabase
import ServiceHost
import Uploads

/// Puts the estate service together: configuration → stores → domain → routes → application.
func buildEstate(_ configuration: EstateConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(configuration.database, logger: logger)
    let auth = InternalClient(
        to: "auth",
        at: configuration.authURLs,
        from: "estate",
        secret: configuration.host.internalSecret
    )
    let outbox = Outbox(subscribers: [Subscriber(.auth, to: [EstateEvents.AccountErased.self], client: auth)])
    let domain = EstateDomain(configuration, database: database, outbox: outbox) { account in
        try await auth.person(account)
    }
    let handlers = EventHandlers(
        people: domain.people,
        withdrawal: domain.withdrawal,
        reservations: domain.reservations
    )
    let inbox = Inbox(database: database, subscriptions: handlers.subscriptions)
    return try ServiceHost.application(
        "estate",
        configuration: configuration.host,
        database: database,
        migrations: Migrations.all,
        apiDocument: PackageResources.openapi_yaml,
        services: [
            inbox,
            UploadCollector(domain.pictures.uploads, logger: logger),
            OutboxRelay(outbox, database: database, logger: logger),
        ],
        logger: logger,
        prepare: { try await domain.pictures.uploads.prepare() },
        routes: Routes(domain, inbox: inbox).add
    )
}

extension InternalClient {
    /// Somebody of Anlaka whom auth knows.
    fileprivate func person(_ account: Int64) async throws -> Person? {
        do {
            let profile = try await get(AuthAPI.Profile.path(account), as: AuthAPI.Profile.self)
            guard profile.app == .anlaka else { return nil }
            return Person(
                account: account,
                publicID: profile.publicID,
                nickname: profile.nickname,
                image: profile.image,
                introduction: profile.introduction
            )
        } catch InternalCallError.refused(_, status: 404) {
            return nil
        }
    }
}
