package import Hummingbird
package import Logging
package import Postgres
package import ServiceHost
package import ServiceLifecycle

extension ServiceHost {
    /// Builds the application of a service that keeps its state in PostgreSQL: the client runs with it, the migrations are
    /// applied before the first request, and it is ready only while the database answers.
    ///
    /// - Parameters:
    ///   - services: what runs beside the server and the client, once the migrations are applied.
    ///   - checks: what else `/readyz` asks.
    ///   - sockets: the addresses that are WebSockets.
    ///   - prepare: done after the migrations, before the first request.
    package static func application(
        _ name: String,
        configuration: HostConfiguration,
        database: PostgresClient,
        migrations: [Migration],
        apiDocument: [UInt8],
        services: [any Service] = [],
        checks: [Check] = [],
        sockets: [SocketRoute] = [],
        logger: Logger,
        prepare: @escaping @Sendable () async throws -> Void = {},
        routes: (RouterGroup<AppRequestContext>) throws -> Void
    ) throws -> some ApplicationProtocol {
        let migrated = Gate()
        return try application(
            name,
            configuration: configuration,
            apiDocument: apiDocument,
            services: [database] + services.map { GatedService(base: $0, gate: migrated) },
            checks: [Check("database") { try await database.ping() }] + checks,
            sockets: sockets,
            logger: logger,
            prepare: {
                try await database.migrate(migrations)
                migrated.open()
                try await prepare()
            },
            routes: routes
        )
    }
}
