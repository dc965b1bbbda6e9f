import FoundationEssentials
import Logging
import PostgresServer
import StackKit

/// Starts an installation: the database, then all programs concurrently, waiting for their readiness.
///
/// Healthy running programs are kept; programs that do not respond, or whose executable has been rebuilt, are
/// restarted.
struct Startup: Sendable {
    let fleet: Fleet
    let folder: LocalFolder
    let environment: [String: String]
    let executables: String
    let server: PostgresServer
    /// The maximum time for a program to become ready.
    var timeout: Duration = .seconds(60)

    /// The members that have to be started.
    ///
    /// - Throws: `StackError` if an executable is missing or a port is in use.
    func plan() async throws -> [Member] {
        var absent: [Member] = []
        for member in fleet.members where await !isHealthy(member) {
            try await Shutdown(folder: folder).stop(member.name)
            absent.append(member)
        }
        for member in absent {
            let path = "\(executables)/\(member.name)"
            guard FileManager.default.isExecutableFile(atPath: path) else {
                throw StackError("\(path) is not there; build it with `make build`")
            }
            for port in member.ports where !Ports.isFree(port.number) {
                let owner = Ports.owner(of: port.number) ?? "another program"
                let other = port.number < 50_000 ? port.number + 10_000 : port.number - 10_000
                throw StackError(
                    "port \(port.number), which \(member.name) needs, is taken by \(owner); "
                        + "stop that, or choose another port: \(port.variable)=\(other) make up"
                )
            }
        }
        return absent
    }

    /// Starts the database, unless it is running.
    func startDatabase() async throws {
        let start = ContinuousClock.now
        try await server.start(detached: true)
        try await Database(server: server).bootstrap()
        Console.done("postgres", "unix socket", since: start)
    }

    /// Starts members and waits for all of them.
    func start(_ members: [Member]) async throws {
        let database = Database(server: server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for member in members {
                let url = try database.url(role: member.name)
                group.addTask { try await start(member, databaseURL: url) }
            }
            // Unlike `waitForAll`, this ends at the first error.
            for try await _ in group {}
        }
    }

    private func start(_ member: Member, databaseURL: String) async throws {
        let start = ContinuousClock.now
        folder.rotateLog(of: member.name)
        let log = LogFile(path: folder.log(of: member.name))
        let before = log.size
        let process = try DetachedProcess.start(
            "\(executables)/\(member.name)",
            environment: fleet.environment(
                of: member,
                inherited: ["FILES_DIR": folder.files, "NOTICE_SPOOL": folder.notices].merging(environment) { $1 }
            ) { _ in databaseURL },
            log: log.path
        )
        try folder.pidFile(of: member.name).write(process)
        while await !Health.isReady(member.readyURL, within: .seconds(1)) {
            guard process.isAlive else {
                let ending = DetachedProcess.ending(of: process.pid) ?? "no exit code"
                throw StackError("\(member.name) stopped while starting (\(ending)). \(log.lastWords(since: before))")
            }
            guard ContinuousClock.now - start < timeout else {
                throw StackError("\(member.name) is not ready after \(timeout). \(log.lastWords(since: before))")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        Console.done(member.name, ":\(member.port.number)", since: start)
    }

    private func isHealthy(_ member: Member) async -> Bool {
        guard let process = folder.pidFile(of: member.name).process else { return false }
        let image = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process.pid)/exe")
        guard image == "\(executables)/\(member.name)" else { return false }
        return await Health.isReady(member.readyURL)
    }
}
