package import Hummingbird
package import Logging
package import Postgres
package import ServiceKit
package import ServiceLifecycle

extension ServiceHost {
    /// Builds the application of a service with a PostgreSQL database: the database client runs with it, migrations are
    /// applied before the first request, and the service is ready only while the database responds. With `onlyMigrates` it
    /// ends then, without having done anything else. Operators see what is in the database (`DataRoutes`).
    ///
    /// - Parameters:
    ///   - services: The services that run beside the server and the database client, started after the migrations.
    ///   - checks: Additional readiness checks of `/readyz`.
    ///   - sockets: The WebSocket routes.
    ///   - prepare: Runs after the migrations, before the first request.
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
        routes: (ServiceRouter) throws -> Void
    ) throws -> some ApplicationProtocol {
        let migrated = StartupBarrier()
        return try application(
            name,
            configuration: configuration,
            apiDocument: apiDocument,
            services: [database] + services.map { BarrierService(base: $0, gate: migrated) },
            checks: [Check("database") { try await database.ping() }] + checks,
            sockets: sockets,
            logger: logger,
            prepare: {
                try await database.migrate(migrations)
                guard !configuration.onlyMigrates else { throw SchemaUpToDate() }
                migrated.open()
                try await prepare()
            },
            routes: { router in
                DataRoutes(database: database).add(to: router)
                try routes(router)
            }
        )
    }
}
