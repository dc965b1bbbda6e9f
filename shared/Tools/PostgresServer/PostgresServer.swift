import Glibc
import Synchronization

/// A private PostgreSQL server in its own directory: for tests, where it ends with the process, and for development,
/// where it runs until it is stopped.
///
/// The directory contains the cluster (`data`), the Unix socket, `server.log` and the superuser's `password`, readable
/// by the server's account only. Therefore the socket needs no authentication, while TCP (loopback only) requires a
/// password. When run as root, the directory belongs to the account `postgres`, because PostgreSQL refuses to run as
/// root.
package final class PostgresServer: Sendable {
    /// The actual directory. It differs from the requested one if the account `postgres` cannot access that (a clone
    /// below `/root`); it is then below `/var/lib/private-postgres`.
    package let directory: String
    /// The requested directory, as an absolute path.
    package let requestedDirectory: String

    private let port: Int?
    private let settings: [String: String]
    private let isTemporary: Bool
    let account: ServerAccount
    let command: Command
    private let watchdog = Mutex<Watchdog?>(nil)

    /// A longer path does not fit the address of a Unix socket (108 bytes, with `/.s.PGSQL.65535` and a final zero).
    private static let longestSocketDirectory = 92

    /// A server in `directory`, which need not exist yet. The initializer has no side effects.
    ///
    /// - Parameters:
    ///   - port: The TCP port on 127.0.0.1, 0 for any free one, nil for the Unix socket alone.
    ///   - settings: Lines for postgresql.conf.
    ///   - prefix: The words before each command line, such as those of `ip netns exec`.
    package convenience init(
        directory: String,
        port: Int? = nil,
        settings: [String: String] = [:],
        prefix: [String] = []
    ) throws(PostgresServerError) {
        try self.init(directory: directory, port: port, settings: settings, isTemporary: false, prefix: prefix)
    }

    /// Where temporary servers are: in memory if enough is free, because creating and dropping tables is mostly file
    /// system work, and `/tmp` otherwise.
    package static var temporaryFolder: String { Files.freeSpace(of: "/dev/shm") >= 4 << 30 ? "/dev/shm" : "/tmp" }

    /// A server in a new directory that is removed together with the server.
    package static func temporary(
        port: Int? = nil,
        settings: [String: String] = [:]
    ) throws(PostgresServerError) -> PostgresServer {
        let directory = "\(temporaryFolder)/postgres-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        return try PostgresServer(directory: directory, port: port, settings: settings, isTemporary: true)
    }

    private init(
        directory: String,
        port: Int?,
        settings: [String: String],
        isTemporary: Bool,
        prefix: [String] = []
    ) throws(PostgresServerError) {
        let account = try ServerAccount.current()
        let requested = Files.absolute(directory)
        let reachable = account.canAccess(requested)
        self.requestedDirectory = requested
        self.directory =
            reachable ? requested : "/var/lib/private-postgres/" + requested.dropFirst().replacing("/", with: "-")
        self.port = self.directory.utf8.count > Self.longestSocketDirectory ? port ?? 0 : port
        self.settings = settings
        self.isTemporary = isTemporary
        self.account = account
        self.command = Command(binaries: try Binaries.directory(), account: account, prefix: prefix)
    }

    var dataDirectory: String { "\(directory)/data" }
    /// The path of the server's log.
    package var log: String { "\(directory)/server.log" }

    /// The directory of PostgreSQL's programs (`pgbench`, `psql`, …).
    package var binaries: String { command.binaries }

    /// Whether the server of this directory is running, even if another process started it.
    package var isRunning: Bool { Postmaster(dataDirectory: dataDirectory) != nil }

    /// Creates the cluster if it does not exist.
    package func initialize() async throws {
        guard !Files.exists("\(dataDirectory)/PG_VERSION") else { return }
        try Files.makeDirectory(directory, owner: account)
        let password = (0..<24).map { _ in String("0123456789abcdefghijklmnopqrstuvwxyz".randomElement() ?? "0") }
            .joined()
        try Files.write(password, to: "\(directory)/password", owner: account)
        // Created in a temporary directory and renamed when complete, so that an interrupted attempt leaves no cluster.
        let unfinished = "\(directory)/data.new"
        _ = try await command.run("rm", ["-rf", unfinished])
        let (succeeded, output) = try await command.run(
            "initdb",
            [
                "--pgdata=\(unfinished)", "--username=postgres", "--pwfile=\(directory)/password", "--encoding=UTF8",
                "--locale=C.UTF-8", "--auth-local=trust", "--auth-host=scram-sha-256", "--no-instructions", "--no-sync",
            ]
        )
        guard succeeded else { throw Diagnosis.error(of: output, doing: "create a database cluster", in: directory) }
        guard rename(unfinished, dataDirectory) == 0 else { throw Files.failure("create", dataDirectory) }
    }

    /// Creates the cluster, and keeps a copy of it for `another`: copying a cluster takes a twentieth of the time of
    /// `initdb`.
    package func initializeWithTemplate() async throws {
        try await initialize()
        try await copy(dataDirectory, to: template)
    }

    /// A server with a new cluster, created from the template of this server, and with the same superuser's password.
    ///
    /// - Parameter folder: A new directory that stays; nil for a temporary server.
    package func another(
        in folder: String? = nil,
        settings: [String: String] = [:]
    ) async throws -> PostgresServer {
        let other =
            try folder.map { try PostgresServer(directory: $0, settings: settings) }
            ?? .temporary(settings: settings)
        try Files.makeDirectory(other.directory, owner: account)
        try await copy(template, to: other.dataDirectory)
        try await copy("\(directory)/password", to: "\(other.directory)/password")
        return other
    }

    private var template: String { "\(directory)/template" }

    func copy(_ source: String, to target: String) async throws {
        let (succeeded, output) = try await command.run("cp", ["-a", source, target])
        guard succeeded else { throw Diagnosis.error(of: output, doing: "copy \(source)", in: directory) }
    }

    /// Starts the server and waits until it accepts connections; no effect if it is running.
    ///
    /// - Parameters:
    ///   - detached: True to leave it running when this process exits, false to stop it with this process for any
    ///     reason.
    ///   - timeout: The maximum time until it accepts connections, or replays its write-ahead log.
    package func start(detached: Bool, timeout: Duration = .seconds(60)) async throws {
        guard !isRunning else { return }
        if !detached {
            let watchdog = await Watchdog(
                dataDirectory: dataDirectory,
                remove: isTemporary ? directory : nil,
                command: command
            )
            self.watchdog.withLock { $0 = watchdog }
        }
        do {
            try await initialize()
            try await launch(attempts: port == 0 ? 5 : 1, timeout, settings)
        } catch {
            await releaseWatchdog()
            throw error
        }
    }

    private func launch(attempts: Int, _ timeout: Duration, _ settings: [String: String]) async throws {
        let port = port == 0 ? try FreePort.find() : port
        try writeSettings(settings, port: port)
        let before = Files.size(of: log)
        let (succeeded, output) = try await command.run(
            "pg_ctl",
            ["start", "-D", dataDirectory, "-l", log, "-w", "-t", "\(timeout.components.seconds)"]
        )
        guard !succeeded else { return }
        let text = (Files.text(at: log, from: before) ?? "") + output
        // Another process may have taken the free port in between.
        if attempts > 1, Diagnosis.isPortTaken(text) {
            return try await launch(attempts: attempts - 1, timeout, settings)
        }
        // A system may promise less memory than it has. PostgreSQL's default is small.
        if settings["shared_buffers"] != nil, Diagnosis.isMemoryRefused(text) {
            return try await launch(attempts: attempts, timeout, settings.filter { $0.key != "shared_buffers" })
        }
        throw Diagnosis.error(of: text, doing: "start PostgreSQL", in: directory, port: port)
    }

    private func writeSettings(_ settings: [String: String], port: Int?) throws(PostgresServerError) {
        let hasSocket = directory.utf8.count <= Self.longestSocketDirectory
        var lines = [
            "listen_addresses": port == nil ? "" : "127.0.0.1",
            "port": String(port ?? 5432),
            "unix_socket_directories": hasSocket ? directory : "",
            // After a crash the write-ahead log of a minute at most is replayed, and full pages in it take less space.
            "checkpoint_timeout": "1min",
            "wal_compression": "on",
        ]
        #if os(Linux)
            // Before the replay the file system is synchronized once, instead of each of thousands of files.
            lines["recovery_init_sync_method"] = "syncfs"
        #endif
        lines.merge(settings) { $1 }
        let text = lines.sorted { $0.key < $1.key }.map { "\($0) = '\($1.replacing("'", with: "''"))'\n" }.joined()
        try Files.write(text, to: "\(dataDirectory)/server.conf", owner: account)
        let main = "\(dataDirectory)/postgresql.conf"
        guard let written = Files.text(at: main), !written.contains("server.conf") else { return }
        try Files.write(written + "\ninclude 'server.conf'\n", to: main, owner: account)
    }

    /// The shutdown mode: `fast` rolls back running transactions and writes all data, `immediate` leaves recovery to
    /// the next start.
    package enum StopMode: String, Sendable {
        case fast, immediate
    }

    /// Stops the server and waits for its exit; no effect if it is not running.
    package func stop(_ mode: StopMode = .fast) async throws {
        if isRunning {
            let (succeeded, output) = try await command.run(
                "pg_ctl",
                ["stop", "-D", dataDirectory, "-m", mode.rawValue, "-w", "-t", "60"]
            )
            guard succeeded || !isRunning else {
                throw Diagnosis.error(of: output, doing: "stop PostgreSQL", in: directory)
            }
        }
        await releaseWatchdog()
        if isTemporary { _ = try await command.run("rm", ["-rf", directory]) }
    }

    /// Simulates a power failure (`kill -9` to all its processes) and waits until they have exited.
    package func kill() async throws {
        guard let postmaster = Postmaster(dataDirectory: dataDirectory) else { return }
        // Or a child that it starts meanwhile goes on, and waits for ever for what the others have locked.
        Glibc.kill(postmaster.process, SIGSTOP)
        while Postmaster.isRunning(postmaster.process) { try await Task.sleep(for: .milliseconds(1)) }
        let processes = postmaster.processes
        for process in processes { Glibc.kill(process, SIGKILL) }
        while processes.contains(where: Postmaster.isAlive) { try await Task.sleep(for: .milliseconds(2)) }
        // Without an init process that reaps orphans (as in a container), their ids stay reserved and the locks would
        // appear to be held.
        unlink("\(dataDirectory)/postmaster.pid")
        unlink("\(directory)/.s.PGSQL.\(postmaster.port).lock")
        await releaseWatchdog()
    }

    private func releaseWatchdog() async {
        await watchdog.withLock { $0.take() }?.release()
    }

    /// The superuser's URL of a database of the running server.
    package func adminURL(database: String = "postgres") throws -> String {
        guard let postmaster = Postmaster(dataDirectory: dataDirectory) else {
            throw PostgresServerError("The PostgreSQL server in \(directory) is not running.")
        }
        if let socket = postmaster.socketDirectory {
            return "postgres://postgres@/\(database)?host=\(socket)&port=\(postmaster.port)"
        }
        let password = Files.text(at: "\(directory)/password") ?? ""
        return "postgres://postgres:\(password)@127.0.0.1:\(postmaster.port)/\(database)"
    }

    /// The postmaster's process id; nil if the server is not running.
    package var processID: Int32? { Postmaster(dataDirectory: dataDirectory)?.process }

    /// The TCP port on 127.0.0.1 of the running server; nil if it has none or is not running.
    package var tcpPort: Int? {
        Postmaster(dataDirectory: dataDirectory).flatMap { $0.listensOnTCP ? $0.port : nil }
    }
}
