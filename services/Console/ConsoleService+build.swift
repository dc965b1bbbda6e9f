import Contracts
import Hummingbird
import Logging
import Postgres
import ServiceDatabase
import ServiceKit

/// Assembles the console: configuration → stores → domain → routes → application.
func buildConsole(_ configuration: ConsoleConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(configuration.database, logger: logger)
    let domain = ConsoleDomain(configuration, database: database)
    return try ServiceHost.application(
        "console",
        configuration: configuration.host,
        database: database,
        migrations: Migrations.all,
        apiDocument: PackageResources.openapi_json,
        services: [PeriodicJobs(domain.jobs, logger: logger)],
        logger: logger,
        prepare: { try await domain.retention.run() },
        routes: Routes(domain).add
    )
}
