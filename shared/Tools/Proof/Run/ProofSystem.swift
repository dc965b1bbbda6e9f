import FoundationEssentials
import Logging
import Postgres

/// What a run plays with: an installation, or several hosts, in a folder of its own.
package protocol ProofSystem: Sendable {
    /// The absolute path of the folder, which a run makes and removes.
    var path: String { get }
    /// What it consists of, for the report.
    var sentence: String { get }
    /// The addresses of the gateways, as `http://host:port`; at least one.
    var gateways: [String] { get throws }
    /// The addresses of auth's copies, which gateways call; an upgrade changes them.
    var auths: [String] { get throws }
    /// The address of the sandbox.
    var sandbox: String { get throws }
    /// The URL of the database, as its administrator.
    var databaseURL: String { get throws }
    /// The system while it runs, for faults.
    var faulty: any FaultySystem { get throws }

    /// Starts everything.
    ///
    /// - Throws: `StackError` if something does not start.
    func up() async throws

    /// Stops everything, and removes the folder.
    func remove() async

    /// Compares all payments with the provider's, as the service does every night. Differences that it cannot resolve are
    /// left to the checks.
    func comparePayments() async

    /// - Throws: An error that says what is not healthy.
    func requireHealth() async throws
}

extension ProofSystem {
    /// - Throws: `ProofError` if the folder exists: it is of something else, and a run removes its own at the end.
    func requireNewFolder() throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw ProofError("\(path) exists; name another folder, or remove it")
        }
    }

    /// Copies the logs of all programs to a folder beside the system's, which is removed.
    ///
    /// - Returns: Its path; an earlier run's is replaced.
    func keepLogs() throws -> String {
        let kept = "\(path)-logs"
        let files = FileManager.default
        try? files.removeItem(atPath: kept)
        for log in try files.subpathsOfDirectory(atPath: path) where log.hasSuffix(".log") {
            let copy = "\(kept)/\(log)"
            let folder = String(copy[..<(copy.lastIndex(of: "/") ?? copy.startIndex)])
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try files.copyItem(atPath: "\(path)/\(log)", toPath: copy)
        }
        return kept
    }

    /// Waits until everything is healthy.
    package func waitUntilReady() async throws {
        var reason = ""
        for _ in 0..<240 {
            do {
                return try await requireHealth()
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
        var configuration = try PostgresConfiguration(url: try databaseURL, applicationName: "proof")
        configuration.statementTimeout = .seconds(60)
        let client = PostgresClient(configuration, logger: Logger(label: "proof") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            return try await body(client)
        }
    }
}
