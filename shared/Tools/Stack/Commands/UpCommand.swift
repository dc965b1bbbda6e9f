import ArgumentParser
import PostgresServer
import StackKit
import UnixSignals

/// `stack up`: starts everything and seeds it, or stops everything on failure.
struct UpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Starts PostgreSQL, the sandbox, every service and the gateway, and waits until all can serve.",
        discussion: """
            Healthy programs that already run are kept. A port is changed by its variable, as in
              GATEWAY_PORT=9080 AUTH_PORT=9081 stack up
            Every other variable of the environment reaches the programs: LOG_LEVEL, AUTH_ACCESS_TTL, KAKAO_URL, …
            """
    )

    @OptionGroup var options: StackOptions

    func run() async throws {
        let began = ContinuousClock.now
        let programs = try options.programs()
        let folder = options.folder
        try folder.prepare()
        let lock = try SingleRun.take(folder)
        defer { lock.release() }
        let server = try options.server()
        let startup = Startup(
            programs: programs,
            folder: folder,
            environment: options.environment,
            executables: Executables.folder,
            server: server
        )
        let hadDatabase = server.isRunning
        let pending = try await startup.plan()
        if pending.isEmpty, hadDatabase {
            Console.line("Madang is already up at \(programs.gateway.url)")
            return
        }
        do {
            try await untilInterrupted {
                try folder.save(ports: programs)
                try await startup.startDatabase()
                try await startup.start(pending)
                try await Seed(programs: programs, environment: options.environment).plant()
            }
        } catch {
            let shutdown = Shutdown(folder: folder)
            try await shutdown.stop(pending)
            if !hadDatabase {
                try await shutdown.stop(server)
                folder.removeSavedPorts()
            }
            throw error
        }
        Console.line("\n\(Welcome(programs: programs, took: ContinuousClock.now - began).text)")
    }

    /// Runs `work` to completion, or cancels it and throws on Ctrl-C.
    private func untilInterrupted(_ work: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) {
                    throw StackError("interrupted by \(signal); what was started is stopped again")
                }
            }
            group.addTask { try await work() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
