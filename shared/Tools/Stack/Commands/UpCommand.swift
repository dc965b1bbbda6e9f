import ArgumentParser
import Backups
import PostgresServer
import StackKit

/// `stack up`: starts everything and seeds it, or stops everything on failure.
struct UpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Starts PostgreSQL, the sandbox, every service and the gateway, and waits until all can serve.",
        discussion: """
            Healthy programs that already run are kept. What dies later is started again: `stack status` counts how often,
            and .local/crashes keeps what it printed last. A port is changed by its variable, as in
              GATEWAY_PORT=9080 AUTH_PORT=9081 stack up
            Phones in the same network reach the gateway with
              GATEWAY_ADDRESS=0.0.0.0 stack up
            and trust it after: stack certificate.
            One of several machines with one database, sandbox and FILES_DIR, whose programs know each other, starts with
              DATABASE_ADMIN_URL=postgres://admin:secret@10.0.0.1,10.0.0.2 SANDBOX_URL=http://10.0.0.1:8090 \\
                SERVICES_ADDRESS=0.0.0.0 PEER_HOSTS=10.0.0.5,10.0.0.6 stack up
            With BACKUP_TO=/var/backups/madang every change is archived there: see stack backup --help.
            Every other variable of the environment reaches the programs: LOG_LEVEL, AUTH_ACCESS_TTL, KAKAO_URL, …
            """
    )

    @OptionGroup var options: StackOptions
    @Flag(name: .customLong("no-seed"), help: "Create no initial data.") var unseeded = false

    func run() async throws {
        let began = ContinuousClock.now
        let folder = options.folder
        try folder.prepare()
        let lock = try await SingleRun.take(folder)
        defer { lock.release() }
        try await BackupSettings(environment: options.environment).place?.check()
        try LocalCertificates(folder).prepare()
        let startup = try await options.startup().settle()
        let programs = startup.programs
        let server = startup.server
        guard startup.database.elsewhere == nil || options.environment["BACKUP_TO"] == nil else {
            throw StackError(
                "BACKUP_TO is for an installation's own server; back up that of DATABASE_ADMIN_URL where it runs"
            )
        }
        let hadDatabase = startup.database.isRunning
        let wasUp = startup.database.elsewhere == nil ? hadDatabase : !folder.savedPorts.isEmpty
        let pending = try await startup.plan()
        if pending.isEmpty, hadDatabase {
            try await startup.settleMoves()
            try await options.archive.restart()
            try Supervisor.launch(options)
            Console.line("Madang is already up at \(programs.gateway.url)")
            return
        }
        // It is launched again with the environment of this command.
        try await Shutdown(folder: folder).stop(Supervisor.name)
        try await Shutdown(folder: folder).stopUnrecorded()
        do {
            try await untilInterrupted {
                try folder.save(ports: programs, environment: options.environment)
                try await startup.startDatabase()
                try await startup.settleMoves()
                try await startup.requireDatabases(of: pending)
                try await options.archive.restart()
                try await startup.start(pending)
                if !unseeded { try await Seed(programs: programs, environment: options.environment).plant() }
                try Supervisor.launch(options)
            }
        } catch {
            let shutdown = Shutdown(folder: folder)
            try await shutdown.stop(pending)
            if !hadDatabase {
                try await shutdown.stop(Archive.name)
                try await shutdown.stop(server)
            }
            if !wasUp { folder.removeSavedPorts() }
            throw error
        }
        let took = ContinuousClock.now - began
        let console = try await ConsoleAddress(programs: programs, calls: options.internalCalls)
            .invite("operator", role: "act")
        Console.line("\n\(Welcome(programs: programs, took: took, console: console).text)")
    }
}
