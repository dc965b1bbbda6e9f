import Contracts
import Events
import Files
import Hummingbird
import Logging
import NIOCore
import Postgres
import Profiles
import ServiceDatabase
import ServiceKit

/// Assembles the estate service: configuration → stores → domain → routes → application.
func buildEstate(_ configuration: EstateConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(configuration.database, logger: logger)
    let auth = InternalClient(to: .auth, at: configuration.authURLs, from: configuration.host)
    let community = InternalClient(
        to: .community,
        at: configuration.communityURLs,
        from: configuration.host
    )
    let outbox = Outbox(subscribers: [Subscriber(.auth, to: [EstateEvents.AccountErased.self], client: auth)])
    let domain = EstateDomain(
        configuration,
        database: database,
        outbox: outbox,
        people: People(of: [.anlaka], database: database, auth: auth),
        community: community
    )
    let handlers = EventHandlers(
        people: domain.people,
        withdrawal: domain.withdrawal,
        reservations: domain.reservations
    )
    let inbox = Inbox(database: database, subscriptions: handlers.subscriptions, outbox: outbox)
    return try ServiceHost.application(
        "estate",
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
        prepare: { try await domain.pictures.uploads.prepare() },
        routes: Routes(domain, inbox: inbox).add
    )
}

extension InternalClient {
    /// A file that an account has uploaded for a post; nil when it belongs to another account or no longer exists.
    func fileOfPost(_ name: String, of account: AccountID) async throws -> ByteBuffer? {
        do {
            return try await bytes(CommunityAPI.File.path(name, of: account))
        } catch InternalCallError.refused(_, status: 404) {
            return nil
        }
    }
}
