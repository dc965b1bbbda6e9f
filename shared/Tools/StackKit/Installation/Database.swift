import Contracts
import Crypto
import FoundationEssentials
package import PostgresServer
import Subprocess
import SystemPackage

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
        let server = try server.adminURL(database: "postgres")
        let create = "SELECT 'CREATE DATABASE \(Self.name)' WHERE NOT EXISTS"
        try await psql(server, "\(create) (SELECT FROM pg_database WHERE datname = '\(Self.name)') \\gexec\n")
        let database = try self.server.adminURL(database: Self.name)
        try await psql(database, String(decoding: PackageResources.bootstrap_sql, as: UTF8.self))
        try await psql(database, String(decoding: PackageResources.passwords_sql, as: UTF8.self))
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

    private func psql(_ url: String, _ script: String) async throws {
        var variables: [Environment.Key: String?] = ["PGOPTIONS": "-c client_min_messages=warning"]
        var url = url
        if let secret = Self.password(in: url) {
            // Not passed in the arguments, which every user of the machine can read.
            variables["PGPASSWORD"] = String(secret)
            url = url.replacing(":\(secret)@", with: "@")
            for role in ServiceName.allCases.map(\.rawValue) {
                let variable = Environment.Key(stringLiteral: "\(role.uppercased())_DATABASE_PASSWORD")
                variables[variable] = Self.password(of: role, secret: secret)
            }
        }
        let result = try await run(
            .path(FilePath("\(server.binaries)/psql")),
            arguments: ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--dbname=\(url)"],
            environment: .inherit.updating(variables),
            input: .string(script),
            output: .string(limit: 1 << 16),
            error: .combinedWithOutput
        )
        guard result.terminationStatus.isSuccess else {
            throw StackError(
                "the database cannot be prepared: \(result.standardOutput.split(separator: "\n").first ?? "")"
            )
        }
    }
}
