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
            What already runs and is healthy is left alone. A port is changed by its variable, as in
              GATEWAY_PORT=9080 AUTH_PORT=9081 stack up
            Every other variable of the environment reaches the programs: LOG_LEVEL, AUTH_ACCESS_TTL, KAKAO_URL, …
            """
    )

    @OptionGroup var yard: StackOptions

    func run() async throws {
        let began = ContinuousClock.now
        let fleet = try yard.fleet()
        let folder = yard.folder
        try folder.prepare()
        let lock = try SingleRun.take(folder)
        defer { lock.release() }
        let server = try yard.server()
        let startup = Startup(
            fleet: fleet,
            folder: folder,
            environment: yard.environment,
            executables: Executables.folder,
            server: server
        )
        let hadDatabase = server.isRunning
        let members = try await startup.plan()
        if members.isEmpty, hadDatabase {
            Console.line("Madang is already up at \(fleet.gateway.url)")
            return
        }
        do {
            try await untilInterrupted {
                try folder.save(ports: fleet)
                try await startup.startDatabase()
                try await startup.start(members)
                try await Seed(fleet: fleet, environment: yard.environment).plant()
            }
        } catch {
            let shutdown = Shutdown(folder: folder)
            try await shutdown.stop(members)
            if !hadDatabase {
                try await shutdown.stop(server)
                folder.forgetPorts()
            }
            throw error
        }
        Console.line("\n\(Welcome(fleet: fleet, took: ContinuousClock.now - began).text)")
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
