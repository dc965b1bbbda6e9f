import FoundationEssentials
import Glibc
import PostgresServer
import StackKit

/// Stops the programs that `up` started, including those left by a crash.
struct Shutdown: Sendable {
    let folder: LocalFolder
    /// The maximum time for a program to complete its requests.
    var timeout: Duration = .seconds(20)

    /// Stops programs in groups, the gateway first and the sandbox last, so that no program loses a dependency it still
    /// needs.
    func stop(_ programs: [Program]) async throws {
        for role in [Program.Role.gateway, .service, .sandbox] {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for program in programs where program.role == role {
                    group.addTask { try await stop(program) }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Stops every program with a pid file, even if Madang no longer has it, and those without.
    func stopOrphans() async throws {
        for name in names { try await stop(name) }
        try await stopUnrecorded()
    }

    /// Stops programs of this folder without a pid file: the command that started them was killed before it wrote one.
    func stopUnrecorded() async throws {
        let recorded = Set(names.compactMap { folder.pidFile(of: $0).process?.pid })
        for process in folder.processes where !recorded.contains(process.pid) {
            try await stop(process, as: "process \(process.pid)")
        }
    }

    /// The names of the programs with pid files.
    private var names: [String] {
        KernelFile.names("\(folder.path)/run").filter { $0.hasSuffix(".pid") }.map { String($0.dropLast(4)) }
    }

    /// Stops a program that has no other copy, to which its callers could go on: SIGINT, at which a service closes its
    /// listener at once, then SIGKILL.
    func stop(_ program: Program) async throws { try await stop(program.name, by: SIGINT) }

    /// Stops a program: SIGTERM, then SIGKILL if it does not exit in time.
    func stop(_ name: String, by signal: Int32 = SIGTERM) async throws {
        let file = folder.pidFile(of: name)
        defer {
            file.remove()
            folder.restarts(of: name).remove()
        }
        if let process = file.process { try await stop(process, as: name, by: signal) }
        file.endRest()
    }

    func stop(_ process: ProcessIdentity, as name: String, by signal: Int32 = SIGTERM) async throws {
        let start = ContinuousClock.now
        process.send(signal)
        while process.isAlive, ContinuousClock.now - start < timeout { try await Task.sleep(for: .milliseconds(10)) }
        if process.isAlive {
            process.send(SIGKILL)
            while process.isAlive { try await Task.sleep(for: .milliseconds(10)) }
            Console.done(name, "had to be killed", since: start)
        } else {
            Console.done(name, "stopped", since: start)
        }
        _ = DetachedProcess.ending(of: process.pid)
    }

    func stop(_ server: PostgresServer) async throws {
        guard server.isRunning else { return }
        let start = ContinuousClock.now
        try await server.stop()
        Console.done("postgres", "stopped", since: start)
    }
}
