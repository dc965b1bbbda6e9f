import FoundationEssentials
import Glibc
import PostgresServer
import StackKit

/// Stops what `up` started, also what a crashed one left behind.
struct Shutdown: Sendable {
    let folder: LocalFolder
    /// How long a program may take to finish the requests that it has taken.
    var patience: Duration = .seconds(20)

    /// Stops members in groups, the gateway first and the sandbox last, so that nobody loses what it still needs.
    func stop(_ members: [Member]) async throws {
        for role in [Member.Role.gateway, .service, .sandbox] {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for member in members where member.role == role {
                    group.addTask { try await stop(member.name) }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Stops every program that has a pid file, whether or not the fleet still knows its name.
    func stopStrangers() async throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/run")) ?? []
        for name in names where name.hasSuffix(".pid") { try await stop(String(name.dropLast(4))) }
    }

    /// Stops one program: asks with SIGTERM, waits until it has drained, insists with SIGKILL.
    func stop(_ name: String) async throws {
        let file = folder.pidFile(of: name)
        defer { file.remove() }
        guard let process = file.process else { return }
        let start = ContinuousClock.now
        process.send(SIGTERM)
        while process.isAlive, ContinuousClock.now - start < patience { try await Task.sleep(for: .milliseconds(10)) }
        if process.isAlive {
            process.send(SIGKILL)
            while process.isAlive { try await Task.sleep(for: .milliseconds(10)) }
            Console.done(name, "had to be killed", since: start)
        } else {
            Console.done(name, "stopped", since: start)
        }
        _ = DetachedProcess.ending(of: process.pid)
    }

    /// Stops the database.
    func stop(_ server: PostgresServer) async throws {
        guard server.isRunning else { return }
        let start = ContinuousClock.now
        try await server.stop()
        Console.done("postgres", "stopped", since: start)
    }
}
