import Glibc
import Logging
package import Postgres
package import PostgresServer

/// The PostgreSQL server that all tests of this process share: the one that `MADANG_TEST_DATABASE_URL` names (a superuser's
/// URL), or else a private one that starts on first use and ends with the process.
package enum TestServer {
    /// A client of its database `postgres` with the rights of the superuser.
    package static var admin: PostgresClient { get async throws { try await running.value.admin } }

    /// How a superuser's client reaches the server.
    ///
    /// - Parameter schema: the schema for its tables; nil for the server's default.
    package static func configuration(schema: String?) async throws -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(
            url: try await running.value.url,
            schema: schema,
            applicationName: "test"
        )
        // Tests look at what the connection for announcements does.
        configuration.announcementPause = .seconds(86_400)
        return configuration
    }

    /// A server of its own for a test that kills it. It ends with the process at the latest.
    ///
    /// - Parameter directory: A new directory that stays; nil for one that ends with the server.
    package static func another(in directory: String? = nil, settings: [String: String]) async throws -> PostgresServer
    {
        guard let server = try await running.value.server else {
            return try directory.map { try PostgresServer(directory: $0, settings: settings) }
                ?? .temporary(settings: settings)
        }
        return try await server.another(in: directory, settings: settings)
    }

    /// Whether it goes on when the process ends, so that nothing may stay on it.
    static var isShared: Bool { getenv("MADANG_TEST_DATABASE_URL") != nil }

    /// Settings that make a server fast and forgetful.
    package static let settings = [
        "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "2000",
        "shared_buffers": "64MB", "jit": "off", "autovacuum": "off", "max_wal_size": "256MB",
        // Or each session that looks for a place spends 15 ms on loading it.
        "shared_preload_libraries": "postgis-3",
    ]

    private struct Running {
        var url: String
        var admin: PostgresClient
        var server: PostgresServer?
    }

    private static let running = Task<Running, any Error> {
        ThrownErrors.leaveUntraced()
        var server: PostgresServer?
        let url: String
        if let given = getenv("MADANG_TEST_DATABASE_URL") {
            url = String(cString: given)
        } else {
            let own = try PostgresServer.temporary(settings: settings)
            try await own.initializeWithTemplate()
            try await own.start(detached: false)
            url = try own.adminURL()
            server = own
        }
        let configuration = try PostgresConfiguration(url: url, applicationName: "test")
        let admin = PostgresClient(configuration, logger: .quiet)
        Task.detached { try await admin.run() }
        try await admin.execute("CREATE SCHEMA IF NOT EXISTS postgis")
        try await admin.execute("CREATE EXTENSION IF NOT EXISTS postgis SCHEMA postgis")
        return Running(url: url, admin: admin, server: server)
    }
}
