import StackKit

/// A cluster of three hosts in a folder of its own, which ends with the suite.
struct BenchCluster: Sendable {
    let folder: ClusterFolder
    let network: ClusterNetwork
    private let executable: String

    static let hosts = 1...3

    /// Starts a cluster while `body` runs.
    static func with<Value>(
        _ bench: BenchContext,
        environment: [String: String],
        _ body: (BenchCluster) async throws -> Value
    ) async throws -> Value {
        let folder = ClusterFolder(path: "\(bench.scratch)/cluster")
        let executable = "\(bench.executables)/stack"
        let words = [executable, "cluster", "up", "--cluster", folder.path]
        let outcome: Result<Value, any Error>
        do {
            let (succeeded, output) = try await SystemCommand.attempt(words, environment: environment)
            guard succeeded else { throw StackError(output) }
            let cluster = BenchCluster(folder: folder, network: try folder.running.network, executable: executable)
            outcome = .success(try await body(cluster))
        } catch {
            outcome = .failure(error)
        }
        _ = try await SystemCommand.attempt([executable, "cluster", "down", "--cluster", folder.path])
        return try outcome.get()
    }

    func gateway(_ host: Int) -> String { "http://\(network.address(of: host)):8080" }
    var gateways: [String] { Self.hosts.map(gateway) }
    /// The sandbox, which all hosts share.
    var sandbox: String { "http://\(network.address(of: 1)):8090" }

    /// Runs a command of the cluster.
    func run(_ words: String...) async throws {
        let (succeeded, output) = try await SystemCommand.attempt(
            [executable, "cluster"] + words + ["--cluster", folder.path]
        )
        guard succeeded else { throw StackError("stack cluster \(words.joined(separator: " ")): \(output)") }
    }

    /// Waits until everything is healthy.
    func waitUntilReady() async throws {
        let end = ContinuousClock.now + .seconds(180)
        while true {
            let words = [executable, "cluster", "status", "--cluster", folder.path]
            let (succeeded, output) = try await SystemCommand.attempt(words)
            if succeeded { return }
            guard ContinuousClock.now < end else { throw StackError("the cluster is not healthy again:\n\(output)") }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
