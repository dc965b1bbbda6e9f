import FoundationEssentials
import PostgresServer
import StackKit
import Synchronization

/// The programs of two versions on one database: the gateway, the sandbox, and of each service an old copy, a new one or
/// both. The gateway and all services know the addresses of both.
final class UpgradeFleet: Sendable {
    enum Version: String, Sendable, CaseIterable {
        case old, new
    }

    /// The gateway, the sandbox, and the services' old copies.
    let programs: Programs
    private let folders: [Version: String]
    private let database: Database
    private let files: String
    private let running = Mutex<[String: Task<Void, any Error>]>([:])

    /// The time that a program has to end after SIGTERM.
    private static let grace = Duration.seconds(30)

    /// Prepares the database and runs the gateway, the sandbox and the old copies while `body` runs.
    ///
    /// - Parameters:
    ///   - old: The folder of the old programs.
    ///   - new: The folder of the new ones.
    ///   - files: A folder for what the services store.
    static func run<Value: Sendable>(
        old: String,
        new: String,
        on server: PostgresServer,
        files: String,
        _ body: (UpgradeFleet) async throws -> Value
    ) async throws -> Value {
        let database = Database(server: server)
        try await database.bootstrap()
        let fleet = try UpgradeFleet(folders: [.old: old, .new: new], database, files)
        do {
            for program in fleet.programs.all {
                try await fleet.start(program, fleet.has(program, .old) ? .old : .new)
            }
            let value = try await body(fleet)
            await fleet.stopAll()
            return value
        } catch {
            await fleet.stopAll()
            throw error
        }
    }

    private init(folders: [Version: String], _ database: Database, _ files: String) throws {
        let all = try Programs(environment: [:]).all.flatMap(\.ports)
        let ports = zip(all, try FreePort.find(all.count)).map { ($0.variable, String($1)) }
        programs = try Programs(environment: Dictionary(uniqueKeysWithValues: ports))
        (self.folders, self.database, self.files) = (folders, database, files)
    }

    /// Whether a version has a program; the new one may have more.
    func has(_ program: Program, _ version: Version) -> Bool {
        FileManager.default.isExecutableFile(atPath: "\(folders[version] ?? "")/\(program.name)")
    }

    /// A copy of a program; new ones serve the other port.
    private func copy(_ program: Program, _ version: Version) -> Program {
        version == .new ? program.onOtherPort : program
    }

    private func environment(of program: Program, _ version: Version) throws -> [String: String] {
        let url = try database.url(role: program.name)
        let limits = [
            "RATE_ADDRESS": "0", "RATE_ACCOUNT": "0", "RATE_SIGN_IN": "0", "MAX_CONNECTIONS_PER_ADDRESS": "20000",
            "GATEWAY_ACCESS_LOG": "off", "LOG_LEVEL": "error", "FILES_DIR": "\(files)/files",
            "NOTICE_SPOOL": "\(files)/notices", "SHUTDOWN_DELAY": "4",
        ]
        return programs.environment(of: copy(program, version), inherited: limits) { _ in url }
    }

    /// Starts a copy, and waits until it is ready.
    func start(_ program: Program, _ version: Version) async throws {
        let environment = try environment(of: program, version)
        let path = "\(folders[version] ?? "")/\(program.name)"
        let task = Task {
            let _: Never? = try await BenchProgram.run(path, [], environment: environment, grace: Self.grace)
        }
        running.withLock { $0["\(program.name) \(version)"] = task }
        let readyURL = copy(program, version).readyURL
        for _ in 0..<600 {
            if await Health.isReady(readyURL) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        task.cancel()
        try await task.value
        throw StackError("\(path) does not become ready")
    }

    /// Lets a copy end after the requests in flight, as SIGTERM does.
    ///
    /// - Throws: `StackError` if it had ended before, or had to be killed.
    func stop(_ program: Program, _ version: Version) async throws {
        guard let task = running.withLock({ $0.removeValue(forKey: "\(program.name) \(version)") }) else { return }
        let begin = ContinuousClock.now
        task.cancel()
        try await task.value
        guard ContinuousClock.now - begin < Self.grace else {
            throw StackError("the \(version) \(program.name) did not end within \(Self.grace)")
        }
    }

    private func stopAll() async {
        let tasks = running.withLock { running in
            defer { running = [:] }
            return Array(running.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { _ = try? await task.value }
    }

    /// The number of clients' requests that a copy has served, by its metrics.
    func requests(to service: Program, _ version: Version) async throws -> Int {
        let lines = try await ProgramMetrics.lines(of: copy(service, version).url).filter { line in
            line.hasPrefix("http_requests_total{")
                && !["/internal/", "/readyz", "/metrics"].contains { line.contains($0) }
        }
        return lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
    }
}
