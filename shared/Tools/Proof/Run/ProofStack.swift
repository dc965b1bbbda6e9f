import FoundationEssentials
import Logging
import Postgres
import PostgresServer
package import StackKit

/// An installation of a run, in a folder and at ports of its own.
package struct ProofStack: Sendable {
    package let folder: LocalFolder
    /// The path of `stack`.
    package let stack: String
    let environment: [String: String]

    /// What differs from an installation of `make up`: all phones have one address, and no limit is to hide what fails.
    private static let settings = [
        "RATE_ADDRESS": "0", "RATE_ACCOUNT": "0", "RATE_SIGN_IN": "0", "CONNECTIONS_PER_ADDRESS": "0",
        "LOG_LEVEL": "warning", "TRACES_KEPT": "0.02",
    ]

    /// - Parameters:
    ///   - path: A folder that does not exist yet.
    ///   - stack: The path of `stack`.
    package init(path: String, stack: String) throws {
        folder = LocalFolder(path: path)
        self.stack = stack
        let ports = try Programs(environment: [:]).all.flatMap(\.ports)
        let numbers = try FreePort.find(ports.count).map(String.init)
        environment = Self.settings.merging(zip(ports.map(\.variable), numbers)) { $1 }
    }

    private var command: StackCommand { StackCommand(prefix: [stack], folder: folder) }

    package var programs: Programs { get throws { try Programs(environment: environment) } }

    /// - Throws: `ProofError` if the folder exists: it is of something else, and a run removes its own at the end.
    func requireNewFolder() throws {
        guard !FileManager.default.fileExists(atPath: folder.path) else {
            throw ProofError("\(folder.path) exists; name another folder, or remove it")
        }
    }

    /// Starts everything.
    ///
    /// - Throws: `StackError` if something does not start.
    func up() async throws { try await command.run(["up"], environment: environment) }

    /// Stops everything, and removes the folder.
    func remove() async {
        try? await command.run(["down"])
        try? FileManager.default.removeItem(atPath: folder.path)
    }

    /// Compares all payments with the provider's, as the service does every night. Differences that it cannot resolve are
    /// left to the checks.
    func comparePayments() async { try? await command.run(["compare"]) }

    /// Waits until all programs are healthy.
    package func waitUntilReady() async throws {
        var reason = ""
        for _ in 0..<240 {
            do {
                return try await command.run(["status"])
            } catch {
                reason = "\(error)"
            }
            try await Task.sleep(for: .milliseconds(500))
        }
        throw ProofError("the stack is not healthy two minutes after the last fault: \(reason)")
    }

    /// Connects to the database as its administrator while `body` runs.
    func withDatabase<Value: Sendable>(
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value {
        let server = try PostgresServer(directory: folder.postgres)
        let url = try server.adminURL(database: Database.name)
        var configuration = try PostgresConfiguration(url: url, applicationName: "proof")
        configuration.statementTimeout = .seconds(60)
        let client = PostgresClient(configuration, logger: Logger(label: "proof") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            return try await body(client)
        }
    }
}
