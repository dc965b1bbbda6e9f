import Glibc
import TestKit
import Testing

@testable import Stack
@testable import StackKit

@Suite(.folder) struct DetachedProcessTests {
    private var temporary: TemporaryFolder { .current }

    @Test func process_hasOwnSessionAndEnvironment() async throws {
        let process = try temporary.start(
            "env | sort; echo \"said $1\" >&2; read x; echo \"read $?\"",
            arguments: ["this"],
            environment: ["MARK": "한글 = 1"]
        )
        #expect(getsid(process.pid) == process.pid)
        try await eventually("it has ended") { !process.isAlive }
        let lines = temporary.log.lastLines(10)
        #expect(lines.contains("MARK=한글 = 1"))
        #expect(!lines.contains { $0.hasPrefix("HOME=") })
        #expect(lines.suffix(2) == ["said this", "read 1"], "its input is empty")
    }

    @Test func process_inheritsNoDescriptors() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let process = try temporary.start("ls -l /proc/self/fd")
        try await eventually("it has ended") { !process.isAlive }
        #expect(temporary.log.lastLines(100).count > 3)
        #expect(!temporary.log.lastLines(100).contains { $0.contains("pipe:") })
    }

    @Test func endedProcesses_leaveNoEntries() async throws {
        let processes = try (0..<3).map { _ in try temporary.start("true") }
        let running = try temporary.start("read x <&1; sleep 600")
        defer { running.send(SIGKILL) }
        try await eventually("they have ended") { !processes.contains(where: \.isAlive) }
        DetachedProcess.reap()
        #expect(processes.allSatisfy { access("/proc/\($0.pid)", F_OK) != 0 })
        #expect(running.isAlive)
    }

    @Test func process_appendsToLog() async throws {
        for _ in 0..<2 {
            let process = try temporary.start("echo line")
            try await eventually("it has ended") { !process.isAlive }
        }
        #expect(temporary.log.lastLines(10) == ["line", "line"])
    }

    @Test func missingProgram_throwsWithReason() async throws {
        let missing = "\(temporary.path)/missing"
        #expect(throws: StackError("\(missing) cannot be started: No such file or directory")) {
            try DetachedProcess.start(missing, environment: [:], log: "\(temporary.path)/log")
        }
    }

    @Test func ending_namesSignal() async throws {
        let process = try temporary.start("kill -9 $$")
        try await eventually("it has ended") { !process.isAlive }
        #expect(DetachedProcess.ending(of: process.pid) == "signal 9")
    }
}
