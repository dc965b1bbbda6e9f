import Contracts
import Crypto
import FoundationEssentials
package import PostgresServer

/// The database `madang` on the private server. Every `up` creates and bootstraps it if necessary; services connect
/// with their own roles.
package struct Database: Sendable {
    package static let name = "madang"

    package let server: PostgresServer

    package init(server: PostgresServer) {
        self.server = server
    }

    /// Creates the database if it does not exist, and its roles and schemas.
    package func bootstrap() async throws {
        let url = try ServerURL(server.adminURL(database: Self.name))
        // Without a password the roles need none, either.
        let passwords = url.password.map { secret in
            ServiceName.allCases.map { ($0.rawValue, Self.password(of: $0.rawValue, secret: secret[...])) }
        }
        try await Self.bootstrap(
            url,
            by: PostgresPrograms(binaries: server.binaries),
            passwords: Dictionary(uniqueKeysWithValues: passwords ?? [])
        )
    }

    /// Creates the database of an administrator's URL if it does not exist, and its roles and schemas.
    ///
    /// - Parameter passwords: By role; other roles keep what they have.
    package static func bootstrap(
        _ url: ServerURL,
        by programs: PostgresPrograms,
        passwords: [String: String]
    ) async throws {
        let variables = passwords.map { ("\($0.key.uppercased())_DATABASE_PASSWORD", $0.value) }
        let create = "SELECT 'CREATE DATABASE \(url.database)' WHERE NOT EXISTS"
        try await programs.psql(
            "\(create) (SELECT FROM pg_database WHERE datname = '\(url.database)') \\gexec\n",
            on: url.of(database: "postgres")
        )
        try await programs.psql(String(decoding: PackageResources.bootstrap_sql, as: UTF8.self), on: url)
        try await programs.psql(
            String(decoding: PackageResources.passwords_sql, as: UTF8.self),
            on: url,
            variables: Dictionary(uniqueKeysWithValues: variables)
        )
    }

    /// The URL of the database for a service's role.
    package func url(role: String) throws -> String {
        let admin = try server.adminURL(database: Self.name)
        guard let password = Self.password(in: admin) else {
            return admin.replacing("postgres://postgres@", with: "postgres://\(role)@", maxReplacements: 1)
        }
        let own = Self.password(of: role, secret: password)
        return admin.replacing("postgres:\(password)@", with: "\(role):\(own)@", maxReplacements: 1)
    }

    /// A role's password, if the server requires one: it is derived from the superuser's, so that nothing is stored.
    private static func password(of role: String, secret: Substring) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(role.utf8), using: SymmetricKey(data: Data(secret.utf8)))
        return code.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func password(in url: String) -> Substring? {
        guard let range = url.firstRange(of: "postgres://postgres:"),
            let end = url[range.upperBound...].firstIndex(of: "@")
        else { return nil }
        return url[range.upperBound..<end]
    }
}
