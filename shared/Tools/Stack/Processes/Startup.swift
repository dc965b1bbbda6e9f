import Backups
import FoundationEssentials
import Logging
import PostgresServer
import StackKit

/// Starts an installation: the database, then all programs concurrently, waiting for their readiness.
///
/// Healthy running programs are kept; programs that do not respond, or whose executable has been rebuilt, are
/// restarted.
struct Startup: Sendable {
    var programs: Programs
    let folder: LocalFolder
    let environment: [String: String]
    let executables: String
    let database: Database
    /// The maximum time for a program to become ready; one that dies meanwhile is not waited for.
    var timeout: Duration = .seconds(180)

    var server: PostgresServer { database.server }

    /// The programs that have to be started.
    ///
    /// - Throws: `StackError` if an executable is missing or a port is in use.
    func plan() async throws -> [Program] {
        var pending: [Program] = []
        for program in programs.all where await !isHealthy(program) {
            try await Shutdown(folder: folder).stop(program)
            pending.append(program)
        }
        for program in pending {
            let path = "\(executables)/\(program.name)"
            guard FileManager.default.isExecutableFile(atPath: path) else {
                throw StackError("\(path) is not there; build it with `make build`")
            }
            for port in program.ports where !Ports.isFree(port.number) {
                let owner = Ports.owner(of: port.number) ?? "another program"
                let other = port.number < 50_000 ? port.number + 10_000 : port.number - 10_000
                throw StackError(
                    "port \(port.number), which \(program.name) needs, is taken by \(owner); "
                        + "stop that, or choose another port: \(port.variable)=\(other) make up"
                )
            }
        }
        return pending
    }

    /// Starts the database, unless it is running.
    func startDatabase() async throws {
        let start = ContinuousClock.now
        if let elsewhere = database.elsewhere {
            try await database.bootstrap()
            return Console.done("postgres", elsewhere.place, since: start)
        }
        if !server.hasCluster { try await refuseToReplaceBackups() }
        try await server.start(detached: true)
        try await database.bootstrap()
        Console.done("postgres", "unix socket", since: start)
    }

    /// Starts programs and waits for all of them.
    func start(_ pending: [Program]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for program in pending {
                group.addTask { try await start(program) }
            }
            // Unlike `waitForAll`, this ends at the first error.
            for try await _ in group {}
        }
    }

    /// Starts a program and waits until it is ready.
    func start(_ program: Program) async throws {
        let start = ContinuousClock.now
        let file = folder.pidFile(of: program.name)
        file.endRest()
        // A former copy may still be there.
        let program = Ports.isFree(program.port.number) ? program : program.onOtherPort
        try await launch(program, as: program.name) { try file.write($0) }
        Console.done(program.name, ":\(program.port.number)", since: start)
    }

    /// Starts the process of a program and waits until it is ready.
    ///
    /// - Parameters:
    ///   - name: The subject of error messages.
    ///   - started: Called before the process is waited for.
    /// - Throws: `StackError` with its last output if it ends or is not ready in time.
    @discardableResult func launch(
        _ program: Program,
        as name: String,
        started: (ProcessIdentity) throws -> Void = { _ in }
    ) async throws -> ProcessIdentity {
        let start = ContinuousClock.now
        folder.rotateLog(of: program.name)
        let log = LogFile(path: folder.log(of: program.name))
        let before = log.size
        let process = try launch(program)
        try started(process)
        while await !Health.isReady(program.readyURL, within: .seconds(1)) {
            guard process.isAlive else {
                let ending = DetachedProcess.ending(of: process.pid) ?? "no exit code"
                throw StackError("\(name) stopped while starting (\(ending)). \(log.lastOutput(since: before))")
            }
            guard ContinuousClock.now - start < timeout else {
                throw StackError("\(name) is not ready after \(timeout). \(log.lastOutput(since: before))")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        return process
    }

    /// The `DATABASE_URL` of a service.
    func databaseURL(of service: String) throws -> String {
        try folder.databaseURL(of: service, own: database.url(role: service))
    }

    /// Starts the process of a program.
    func launch(_ program: Program) throws -> ProcessIdentity {
        let databaseURL = try databaseURL(of: program.name)
        return try DetachedProcess.start(
            "\(executables)/\(program.name)",
            environment: programs.environment(of: program, inherited: settings.merging(environment) { $1 }) { _ in
                databaseURL
            }.merging(own(of: program)) { $1 },
            log: folder.log(of: program.name)
        )
    }

    /// What only this installation sets. While a service moves, its calls wait for the server that accepts writes next.
    private func own(of program: Program) throws -> [String: String] {
        let isMoving = try folder.moves.contains { move in
            move.service == program.name && [.begun, .decided].contains(move.phase)
        }
        return [LocalFolder.variable: folder.path].merging(isMoving ? ["DATABASE_OUTAGE_WAIT": "5"] : [:]) { $1 }
    }

    /// The settings that name files and folders, and the time in which callers of a service go on to its next copy.
    private var settings: [String: String] {
        let certificate = LocalCertificates(folder).server
        return [
            "FILES_DIR": folder.files, "NOTICE_SPOOL": folder.notices, "TLS_CERTIFICATE": certificate,
            "TLS_KEY": certificate, "HANDOVER_SOCKET": folder.handoverSocket, "SERVICE_SOCKETS": folder.sockets,
            "SHUTDOWN_DELAY": "4",
        ]
    }

    /// A database that is gone but has backups is not replaced by an empty one.
    private func refuseToReplaceBackups() async throws {
        guard let place = try BackupSettings(environment: environment).place,
            try await !BackupCatalogue(of: place).backups.isEmpty
        else { return }
        throw StackError(
            "there is no database in \(folder.postgres), and \(place.description) has backups of one; "
                + "restore it: stack restore, or choose another BACKUP_TO for a new one"
        )
    }

    private func isHealthy(_ program: Program) async -> Bool {
        guard let process = folder.pidFile(of: program.name).process else { return false }
        let image = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process.pid)/exe")
        guard image == "\(executables)/\(program.name)" else { return false }
        return await Health.isReady(program.readyURL)
    }
}
