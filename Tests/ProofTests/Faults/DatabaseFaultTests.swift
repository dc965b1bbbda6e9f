import PostgresServer
import StackKit
import TestKit
import Testing

@testable import Proof

@Suite(.timeLimit(.minutes(5))) struct DatabaseFaultTests {
    /// Runs `body` with a server that has a database of services, and a client of it that does nothing.
    private func run(_ body: (DatabaseFaults, PostgresServer) async throws -> Void) async throws {
        let server = try PostgresServer.temporary(settings: ["shared_buffers": "32MB", "fsync": "off"])
        try await server.start(detached: false)
        do {
            try await Database(server: server).bootstrap()
            try await body(
                DatabaseFaults(server: server) { try Database(server: server).administrator },
                server
            )
            try await server.stop(.immediate)
        } catch {
            try? await server.stop(.immediate)
            throw error
        }
    }

    /// Whether the server answers a client, which reads a setting.
    private func setting(_ name: String, is value: String, of server: PostgresServer) async -> Bool {
        let query = "SELECT 1 / (current_setting('\(name)') = '\(value)')::int \\g /dev/null\n"
        let url = try? Database(server: server).administrator
        guard let url else { return false }
        return (try? await PostgresPrograms(binaries: server.binaries).psql(query, on: url)) != nil
    }

    private func answers(_ server: PostgresServer) async -> Bool { await setting("port", is: "5432", of: server) }

    @Test func killedBackend_isOneOfAClient_andTheServerRecovers() async throws {
        try await run { faults, server in
            try await eventually("no client is left") {
                do {
                    _ = try faults.killBackend(3)
                    return false
                } catch {
                    return error as? FaultNotApplied == FaultNotApplied("PostgreSQL served no client.")
                }
            }
            let programs = PostgresPrograms(binaries: server.binaries)
            let url = try Database(server: server).administrator
            let client = Task { try await programs.psql("SELECT pg_sleep(600);\n", on: url) }
            var action: FaultAction?
            try await eventually("it is served") {
                action = try? faults.killBackend(3)
                return action != nil
            }
            let sentence = try await action?.begin()
            #expect(sentence?.hasPrefix("postgres: postgres madang [local]") == true, "\(sentence ?? "")")
            await #expect(throws: StackError.self) { try await client.value }
            try await eventually("it has recovered") { await answers(server) }
        }
    }

    @Test func killedCheckpointer_restartsTheServer() async throws {
        try await run { faults, server in
            let before = server.processes.first(where: \.isCheckpointer)?.id
            #expect(try await faults.killCheckpointer().begin().hasPrefix("postgres: checkpointer, process"))
            try await eventually("another one runs") {
                let now = server.processes.first(where: \.isCheckpointer)?.id
                return now != nil && now != before
            }
            try await eventually("it has recovered") { await answers(server) }
        }
    }

    @Test func stoppedServer_goesOnAtTheEnd() async throws {
        try await run { faults, server in
            let action = try faults.stop()
            _ = try await action.begin()
            let processes = server.processes.compactMap { ProcessIdentity(of: $0.id) }
            #expect(processes.count > 3)
            for process in processes { try await process.reaches("T", mayHaveExited: true) }
            try await action.end()
            try await eventually("it answers") { await answers(server) }
        }
    }

    @Test func slowCommits_areSet_andUndone() async throws {
        try await run { faults, server in
            let action = try faults.slowCommits(40)
            _ = try await action.begin()
            try await eventually("it is set") { await setting("commit_delay", is: "40000", of: server) }
            #expect(await setting("commit_siblings", is: "0", of: server))
            try await action.end()
            try await eventually("it is undone") { await setting("commit_delay", is: "0", of: server) }
        }
    }

    @Test func restartedServer_hasRecovered() async throws {
        try await run { faults, server in
            let before = server.processID
            _ = try await faults.restartImmediately().begin()
            #expect(server.processID != nil && server.processID != before)
            #expect(await answers(server))
        }
    }

    @Test func killedServer_isStartedByTheEnd_ifNoSupervisorDoes() async throws {
        try await run { faults, server in
            var faults = faults
            faults.restart = { try await server.start(detached: true) }
            let action = try faults.killAll()
            _ = try await action.begin()
            #expect(!server.isRunning)
            #expect(throws: FaultNotApplied.self) { try faults.stop() }
            try await action.end()
            #expect(await answers(server))
        }
    }
}
