import FoundationEssentials
import Logging
package import Postgres
package import PostgresServer
import StackKit
import Subprocess
import SystemPackage

/// The running server that is backed up.
package struct BackupSource: Sendable {
    /// A superuser's URL of it.
    package let url: String
    /// The directory of PostgreSQL's programs.
    package let binaries: String
    /// The superuser's password, which a base backup has as a hash only.
    let password: String

    package init(_ server: PostgresServer) throws {
        guard server.isRunning else {
            throw StackError("the database in \(server.directory) does not run; start it: stack up")
        }
        url = try server.adminURL()
        binaries = server.binaries
        password = server.password ?? ""
    }

    /// Connects while `body` runs.
    package func withClient<Value: Sendable>(_ body: (PostgresClient) async throws -> Value) async throws -> Value {
        let configuration = try PostgresConfiguration(url: url, applicationName: "backup")
        let client = PostgresClient(configuration, logger: Logger(label: "backup") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            return try await body(client)
        }
    }

    func program(_ name: String) -> Executable { .path(FilePath("\(binaries)/\(name)")) }

    /// The arguments by which PostgreSQL's programs reach the server; the password is in the environment, since every
    /// user of the machine can read arguments.
    var connection: [String] { ["--no-password", "--dbname=\(url.replacing(":\(password)@", with: "@"))"] }

    /// Without the variable by which programs of the folder are found: they end with this process.
    var environment: Environment {
        .inherit.updating(["PGPASSWORD": password, "LC_MESSAGES": "C", .init(stringLiteral: LocalFolder.variable): nil])
    }

    /// Ends programs by SIGINT first, which those of PostgreSQL expect.
    var platformOptions: PlatformOptions {
        var options = PlatformOptions()
        options.teardownSequence = [.send(signal: .interrupt, allowedDurationToNextStep: .seconds(5))]
        return options
    }
}

extension PostgresClient {
    /// The identifier of the cluster, which copies of it share.
    func cluster() async throws -> String {
        try await one("SELECT system_identifier::text FROM pg_control_system()") { try $0.decode(String.self) }
    }
}
