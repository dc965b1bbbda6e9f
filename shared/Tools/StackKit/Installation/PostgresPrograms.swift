import Subprocess
import SystemPackage

/// Runs psql and pg_dump on a database. The password is in their environment: every user of the machine can read
/// arguments.
package struct PostgresPrograms: Sendable {
    /// The directory of PostgreSQL's programs.
    let binaries: String

    package init(binaries: String) {
        self.binaries = binaries
    }

    /// Runs a script of psql that ends at its first error.
    ///
    /// - Parameter variables: Its additional environment.
    /// - Throws: `StackError` with psql's first line.
    package func psql(
        _ script: String,
        on url: ServerURL,
        atomically: Bool = false,
        variables: [String: String] = [:]
    ) async throws {
        let usual = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
        let arguments = usual + (atomically ? ["--single-transaction"] : [])
        let result = try await run(
            .path(FilePath("\(binaries)/psql")),
            arguments: Arguments(arguments + ["--dbname=\(withoutPassword(url))"]),
            environment: environment(url, variables),
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

    /// The statements that create a schema without its rows.
    ///
    /// - Throws: `StackError` with pg_dump's first line.
    package func dump(schema: String, of url: ServerURL) async throws -> String {
        let result = try await run(
            .path(FilePath("\(binaries)/pg_dump")),
            arguments: [
                "--schema-only", "--schema=\(schema)", "--no-publications", "--no-subscriptions",
                "--dbname=\(withoutPassword(url))",
            ],
            environment: environment(url, [:]),
            output: .string(limit: 64 << 20),
            error: .string(limit: 1 << 16)
        )
        guard result.terminationStatus.isSuccess else {
            throw StackError(
                "the schema \(schema) cannot be read: \(result.standardError.split(separator: "\n").first ?? "")"
            )
        }
        return result.standardOutput
    }

    private func withoutPassword(_ url: ServerURL) -> String { url.of(role: url.user, password: nil).text }

    private func environment(_ url: ServerURL, _ variables: [String: String]) -> Environment {
        var own: [Environment.Key: String?] = ["PGOPTIONS": "-c client_min_messages=warning", "LC_MESSAGES": "C"]
        // Programs of the folder are found by this variable; these end with this process.
        own[.init(stringLiteral: LocalFolder.variable)] = .some(nil)
        if let password = url.plainPassword { own["PGPASSWORD"] = password }
        for (name, value) in variables { own[.init(stringLiteral: name)] = value }
        return .inherit.updating(own)
    }
}
