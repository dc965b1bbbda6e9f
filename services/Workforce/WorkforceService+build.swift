import Contracts
import Events
import Hummingbird
import Logging
import Postgres
import ServiceDatabase
import ServiceKit

/// Assembles the workforce service: configuration → stores → domain → routes → application.
func buildWorkforce(_ configuration: WorkforceConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(configuration.database, logger: logger)
    func client(to service: ServiceName, at urls: [String]) -> InternalClient {
        InternalClient(to: service, at: urls, from: configuration.host)
    }
    let auth = client(to: .auth, at: configuration.authURLs)
    let notifications = client(to: .notifications, at: configuration.notificationsURLs)
    let outbox = Outbox(subscribers: [
        Subscriber(.auth, to: [WorkforceEvents.AccountErased.self], client: auth),
        Subscriber(.notifications, to: [WorkforceEvents.MemberAlerted.self], client: notifications),
    ])
    let domain = WorkforceDomain(configuration, database: database, outbox: outbox) { account in
        try await auth.person(account)
    }
    let handlers = EventHandlers(people: domain.people, withdrawal: domain.withdrawal)
    let inbox = Inbox(database: database, subscriptions: handlers.subscriptions, outbox: outbox)
    return try ServiceHost.application(
        "workforce",
        configuration: configuration.host,
        database: database,
        migrations: Migrations.all,
        apiDocument: PackageResources.openapi_json,
        services: [
            inbox, PeriodicJobs(domain.jobs, logger: logger),
            PayrollRecalculation(database: database, pay: domain.pay, logger: logger),
            OutboxRelay(outbox, database: database, logger: logger),
        ],
        logger: logger,
        routes: Routes(domain, inbox: inbox).add
    )
}

extension InternalClient {
    /// A registered user, from the auth service; nil for an unknown or unregistered one.
    fileprivate func person(_ account: AccountID) async throws -> Person? {
        do {
            let member = try await get(AuthAPI.Member.path(account), as: AuthAPI.Member.self)
            guard let role = member.role.flatMap(Person.Role.init) else { return nil }
            return Person(
                account: account,
                nickname: member.nickname,
                image: member.image,
                role: role,
                isWithdrawn: false
            )
        } catch InternalCallError.refused(_, status: 404) {
            return nil
        }
    }
}
