import FoundationEssentials
import PostgresServer
import StackKit
import Subprocess
import Synchronization
import SystemPackage

/// Gateways at one port, of which each takes over from the one before.
final class HandoverGateways: Sendable {
    let port: Int
    private let admin: Int
    private let program: String
    private let log: FilePath
    private let environment: [String: String]
    private let current = Mutex<Task<TerminationStatus, any Error>?>(nil)

    private static let limit = Duration.seconds(60)

    init(executables: String, scratch: String, service: Int) throws {
        let ports = try FreePort.find(2)
        (port, admin) = (ports[0], ports[1])
        program = "\(executables)/gateway"
        log = FilePath("\(scratch)/gateway.log")
        environment = Programs.heaps.merging([
            "HOST": "127.0.0.1", "PORT": "\(port)", "ADMIN_PORT": "\(admin)", "GATEWAY_ACCESS_LOG": "off",
            "LOG_LEVEL": "error", "RATE_ADDRESS": "0", "RATE_ACCOUNT": "0", "MAX_CONNECTIONS_PER_ADDRESS": "20000",
            "HANDOVER_SOCKET": "\(scratch)/gateway.socket", "AUTH_URL": "http://127.0.0.1:\(service)",
            "SEATS_URL": "http://127.0.0.1:\(service)",
        ]) { $1 }
    }

    private func launch() -> Task<TerminationStatus, any Error> {
        Task { [program, environment, log] in
            var options = PlatformOptions()
            options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(3))]
            let variables = environment.map { (Environment.Key(stringLiteral: $0.key), String?.some($0.value)) }
            return try await Subprocess.run(
                .path(FilePath(program)),
                environment: .inherit.updating(Dictionary(uniqueKeysWithValues: variables)),
                platformOptions: options,
                output: .fileDescriptor(
                    try .open(log, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite),
                    closeAfterSpawningProcess: true
                ),
                error: .combinedWithOutput
            ).terminationStatus
        }
    }

    /// Starts the first gateway, and waits until it is ready.
    func start() async throws {
        current.withLock { $0 = launch() }
        let begin = ContinuousClock.now
        while await !Health.isReady("http://127.0.0.1:\(admin)/readyz") {
            guard ContinuousClock.now - begin < Self.limit else {
                throw StackError("the gateway does not become ready")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Starts the next gateway, and waits until the old one has ended.
    ///
    /// - Returns: The time that it took.
    /// - Throws: `StackError` if the old one fails, or does not end.
    func replace() async throws -> Duration {
        let begin = ContinuousClock.now
        let next = launch()
        guard
            let old = current.withLock({ current in
                defer { current = next }
                return current
            })
        else { return .zero }
        let watch = Task {
            try await Task.sleep(for: Self.limit)
            old.cancel()
        }
        defer { watch.cancel() }
        let status = try await old.value
        let time = ContinuousClock.now - begin
        guard status.isSuccess, time < Self.limit else { throw StackError("the old gateway ended with \(status)") }
        return time
    }

    /// The lines that the gateways have printed.
    var warnings: [String] {
        let text = (try? String(contentsOfFile: log.string, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    func stop() async {
        let last = current.withLock { $0 }
        last?.cancel()
        _ = try? await last?.value
    }
}
