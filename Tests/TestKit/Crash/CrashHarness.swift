import AsyncHTTPClient
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
package import Postgres
package import PostgresServer
import Synchronization
import Values

/// Several of our programs, each in a process of its own on a loopback port of its own, with a PostgreSQL of their own, to
/// be started, killed and called.
package final class CrashHarness: Sendable {
    package struct Program: Sendable {
        /// The executable.
        var executable: String
        /// Added to the environment; `HOST`, `PORT` and `LOG_LEVEL` are there.
        var environment: [String: String]
        /// Answers 200 when the program can be used; nil for its own `/readyz`.
        var readyURL: String?

        package init(_ executable: String, environment: [String: String], readyURL: String? = nil) {
            self.executable = executable
            self.environment = environment
            self.readyURL = readyURL
        }
    }

    package let server: PostgresServer
    let http: HTTPClient
    private let name: String
    private let ports: [String: Int]
    private let programs = Mutex<[String: Program]>([:])
    private let running = Mutex<[String: ProgramProcess]>([:])
    private let killed = Mutex<[String: Int]>([:])

    private init(_ name: String, _ server: PostgresServer, ports: [String]) throws {
        self.name = name
        self.server = server
        self.ports = Dictionary(uniqueKeysWithValues: try ports.map { ($0, try FreePort.find()) })
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 128
        // Or one that is up again would be left alone for seconds, because it was down before.
        configuration.connectionPool.retryConnectionEstablishment = false
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Starts PostgreSQL and the programs, and ends them all when `body` has returned. When it throws, what the programs have
    /// logged is printed.
    ///
    /// - Parameters:
    ///   - schema: the schema of the service under test.
    ///   - settings: of PostgreSQL.
    ///   - names: of the programs, in the order in which they start.
    ///   - ports: names of further ports.
    ///   - program: a program by its name; it may need to know the addresses of others.
    ///   - body: runs with a client of the schema.
    package static func run(
        schema: String,
        settings: [String: String],
        _ names: [String],
        ports: [String] = [],
        program: (_ name: String, _ harness: CrashHarness) throws -> Program,
        _ body: (CrashHarness, PostgresClient) async throws -> Void
    ) async throws {
        let server = try await TestServer.another(settings: settings.merging(["shared_buffers": "64MB"]) { $1 })
        try await server.start(detached: false)
        do {
            let harness = try CrashHarness(schema, server, ports: names + ports)
            do {
                for name in names {
                    let program = try program(name, harness)
                    harness.programs.withLock { $0[name] = program }
                }
                try await harness.run(schema, names, body)
            } catch {
                for name in names { print("\(name):\n\(harness.log(of: name))") }
                try await harness.shutDown(names)
                throw error
            }
            try await harness.shutDown(names)
        } catch {
            try await server.stop(.immediate)
            throw error
        }
        try await server.stop(.immediate)
    }

    private func run(
        _ schema: String,
        _ names: [String],
        _ body: (CrashHarness, PostgresClient) async throws -> Void
    ) async throws {
        let url = try server.adminURL()
        let configuration = try PostgresConfiguration(url: url, schema: schema, applicationName: "test")
        let database = PostgresClient(configuration, logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await database.run() }
            defer { group.cancelAll() }
            try await database.execute("CREATE SCHEMA \(identifier: schema)")
            for name in names { try await start(name) }
            try await body(self, database)
        }
    }

    /// How a program reaches PostgreSQL.
    package var databaseURL: String { get throws { try server.adminURL() } }

    package func url(_ name: String, scheme: String = "http") -> String { "\(scheme)://127.0.0.1:\(port(name))" }

    package func port(_ name: String) -> Int { ports[name] ?? 0 }

    /// Starts a program, and waits until it can be used.
    package func start(_ name: String) async throws {
        guard let program = programs.withLock({ $0[name] }) else {
            throw NotReady(name: name, log: "there is none of this name")
        }
        let own = ["HOST": "127.0.0.1", "PORT": "\(port(name))", "LOG_LEVEL": "warning"]
        let environment = own.merging(program.environment) { $1 }
        let process = try await ProgramProcess.start(program.executable, environment: environment, log: path(name))
        running.withLock { $0[name] = process }
        try await waitUntilReady(name)
    }

    package func waitUntilReady(_ name: String) async throws {
        let url = programs.withLock { $0[name]?.readyURL } ?? url(name) + "/readyz"
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(60) {
            if (try? await http.execute(HTTPClientRequest(url: url), timeout: .seconds(1)))?.status == .ok { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NotReady(name: name, log: log(of: name))
    }

    /// Kills a program as `kill -9` does.
    package func kill(_ name: String) async {
        killed.withLock { $0[name, default: 0] += 1 }
        await running.withLock { $0.removeValue(forKey: name) }?.end()
    }

    /// How often a program, or `PostgreSQL`, was killed.
    package func kills(of name: String) -> Int { killed.withLock { $0[name] ?? 0 } }

    /// Kills a program, or PostgreSQL for nil, and starts it again. It starts also when the task is cancelled meanwhile.
    package func crash(_ name: String?, pause: Duration) async throws {
        try await Task {
            if let name {
                await kill(name)
                try await Task.sleep(for: pause)
                try await start(name)
            } else {
                killed.withLock { $0["PostgreSQL", default: 0] += 1 }
                try await server.kill()
                try await Task.sleep(for: pause)
                try await server.start(detached: false)
            }
        }.value
    }

    /// Kills programs, and PostgreSQL for nil, one after the other until the task is cancelled.
    ///
    /// - Parameter pause: milliseconds between two kills.
    package func crashInTurn(_ names: [String?], pause: Range<Int>, seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        for turn in 0... {
            try? await Task.sleep(for: .milliseconds(Int.random(in: pause, using: &random)))
            if Task.isCancelled { return }
            let down = Duration.milliseconds(Int.random(in: 0..<400, using: &random))
            try await crash(names[turn % names.count], pause: down)
        }
    }

    /// The end of what a program has logged.
    package func log(of name: String) -> String {
        String(((try? String(contentsOfFile: path(name), encoding: .utf8)) ?? "").suffix(4000))
    }

    private func path(_ program: String) -> String { "/tmp/\(name)-crash-\(getpid())-\(program).log" }

    private func shutDown(_ names: [String]) async throws {
        for name in names {
            await running.withLock { $0.removeValue(forKey: name) }?.end()
            try? FileManager.default.removeItem(atPath: path(name))
        }
        try await http.shutdown()
    }

    package struct NotReady: Error {
        var name: String
        var log: String
    }
}
