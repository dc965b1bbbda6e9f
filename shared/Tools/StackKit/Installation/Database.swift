import Contracts
import Crypto
import FoundationEssentials
package import PostgresServer

/// The database of an installation: `madang` on the private server, or that of `DATABASE_ADMIN_URL`. Every `up` creates
/// and bootstraps it if necessary; services connect with their own roles.
package struct Database: Sendable {
    package static let name = "madang"

    package let server: PostgresServer
    /// An administrator's URL of servers that the installation does not start; nil for the private one.
    package let elsewhere: ServerURL?

    package init(server: PostgresServer, elsewhere: ServerURL? = nil) {
        self.server = server
        self.elsewhere = elsewhere
    }

    package var isRunning: Bool { elsewhere != nil || server.isRunning }

    /// An administrator's URL.
    package var administrator: ServerURL {
        get throws { try elsewhere ?? ServerURL(server.adminURL(database: Self.name)) }
    }

    /// Creates the database if it does not exist, and its roles and schemas.
    package func bootstrap() async throws {
        let url = try administrator
        // Without a password the roles need none, either.
        let passwords = url.password.map { secret in
            ServiceName.allCases.map { ($0.rawValue, Self.password(of: $0.rawValue, secret: secret)) }
        }
        try await Self.bootstrap(
            url,
            by: PostgresPrograms(binaries: server.binaries),
            passwords: Dictionary(uniqueKeysWithValues: passwords ?? [])
        )
    }

    /// Creates the database of an administrator's URL if it does not exist, and its roles and schemas. Several
    /// installations may do so at once.
    ///
    /// - Parameter passwords: By role; other roles keep what they have.
    package static func bootstrap(
        _ url: ServerURL,
        by programs: PostgresPrograms,
        passwords: [String: String]
    ) async throws {
        let url = url.acceptingWrites
        let variables = passwords.map { ("\($0.key.uppercased())_DATABASE_PASSWORD", $0.value) }
        let create = "SELECT 'CREATE DATABASE \(url.database)' WHERE NOT EXISTS"
        try await programs.psql(
            lock + "\(create) (SELECT FROM pg_database WHERE datname = '\(url.database)') \\gexec\n",
            on: url.of(database: "postgres")
        )
        try await programs.psql(lock + String(decoding: PackageResources.bootstrap_sql, as: UTF8.self), on: url)
        try await programs.psql(
            lock + String(decoding: PackageResources.passwords_sql, as: UTF8.self),
            on: url,
            variables: Dictionary(uniqueKeysWithValues: variables)
        )
    }

    /// The URL of the database for a service's role.
    package func url(role: String) throws -> String {
        let url = try administrator
        return url.of(role: role, password: url.password.map { Self.password(of: role, secret: $0) }).text
    }

    /// Makes a session of psql wait for others with the same script, until they end.
    private static let lock = "SELECT pg_advisory_lock(7236518) \\g /dev/null\n"

    /// A role's password, if the server requires one: it is derived from the superuser's, so that nothing is stored.
    private static func password(of role: String, secret: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(role.utf8), using: SymmetricKey(data: Data(secret.utf8)))
        return code.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
