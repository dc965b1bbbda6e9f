import Glibc
import TestKit
import Testing

@testable import Stack
@testable import StackKit

@Suite(.folder) struct ShutdownTests {
    private var temporary: TemporaryFolder { .current }

    @Test func stop_waitsForProgramToDrain() async throws {
        let script = "trap 'sleep 0.3; echo drained; exit 0' TERM; echo up; while :; do sleep 0.05; done"
        let process = try await Self.start(script, in: temporary)
        try await Shutdown(folder: temporary.local).stop("program")
        #expect(!process.isAlive)
        #expect(temporary.log.lastLines(1) == ["drained"])
        #expect(temporary.local.pidFile(of: "program").process == nil)
    }

    @Test func stop_afterTimeout_killsProgram() async throws {
        let process = try await Self.start("trap '' TERM; echo up; while :; do sleep 0.05; done", in: temporary)
        try await Shutdown(folder: temporary.local, timeout: .milliseconds(200)).stop("program")
        #expect(!process.isAlive)
    }

    @Test func stop_withReusedProcessId_sparesProcess() async throws {
        let process = try await Self.start("echo up; exec sleep 100", in: temporary)
        defer { process.send(SIGKILL) }
        let stale = try #require(ProcessIdentity(parsing: "\(process.pid) \(process.startTicks - 1) \(process.boot)"))
        try temporary.local.pidFile(of: "program").write(stale)
        try await Shutdown(folder: temporary.local).stop("program")
        #expect(process.isAlive)
    }

    @Test func stopOrphans_stopsUnknownPrograms() async throws {
        let process = try await Self.start("echo up; exec sleep 100", in: temporary)
        try await Shutdown(folder: temporary.local).stop(Programs(environment: [:]).all)
        #expect(process.isAlive)
        try await Shutdown(folder: temporary.local).stopOrphans()
        #expect(!process.isAlive)
    }

    /// The command that started it was killed before it wrote the pid file.
    @Test func stopUnrecorded_stopsProgramsOfTheFolder() async throws {
        try temporary.local.prepare()
        let others = LocalFolder(path: "\(temporary.local.path)-other")
        func start(_ folder: LocalFolder) throws -> ProcessIdentity {
            try temporary.start(
                "exec sleep 100",
                environment: ["PATH": "/usr/bin:/bin", LocalFolder.variable: folder.path]
            )
        }
        let (lost, recorded, foreign) = (try start(temporary.local), try start(temporary.local), try start(others))
        defer { for process in [lost, recorded, foreign] { process.send(SIGKILL) } }
        try temporary.local.pidFile(of: "program").write(recorded)
        try await Shutdown(folder: temporary.local).stopUnrecorded()
        #expect(!lost.isAlive && recorded.isAlive && foreign.isAlive)
    }

    @Test func stop_withoutProcess_succeeds() async throws {
        try await Shutdown(folder: temporary.local).stop("program")
        try await Shutdown(folder: temporary.local).stopOrphans()
    }

    /// Starts a program with a pid file, and waits until it reports that it is up.
    private static func start(_ text: String, in temporary: TemporaryFolder) async throws -> ProcessIdentity {
        try temporary.local.prepare()
        let process = try temporary.start(text)
        try temporary.local.pidFile(of: "program").write(process)
        try await eventually("the program is up") { temporary.log.lastLines(1) == ["up"] }
        return process
    }
}
