import Glibc
import Testing

@testable import Stack

@Suite struct DetachedProcessTests {
    @Test func runsInASessionOfItsOwnWithItsOwnEnvironment() async throws {
        try await Workshop.run { workshop in
            let script = try workshop.script("program", "env | sort; echo \"said $1\" >&2; read x; echo \"read $?\"")
            let log = LogFile(path: "\(workshop.path)/log")
            let process = try DetachedProcess.start(
                script,
                arguments: ["this"],
                environment: ["MARK": "한글 = 1"],
                log: log.path
            )
            #expect(getsid(process.pid) == process.pid)
            try await eventually("it has ended") { !process.isAlive }
            let lines = log.lastLines(10)
            #expect(lines.contains("MARK=한글 = 1"))
            #expect(!lines.contains { $0.hasPrefix("HOME=") })
            #expect(lines.suffix(2) == ["said this", "read 1"], "its input is empty")
        }
    }

    @Test func inheritsNoDescriptors() async throws {
        try await Workshop.run { workshop in
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            defer { ends.forEach { close($0) } }
            let script = try workshop.script("program", "ls -l /proc/self/fd")
            let log = LogFile(path: "\(workshop.path)/log")
            let process = try DetachedProcess.start(script, environment: ["PATH": "/usr/bin:/bin"], log: log.path)
            try await eventually("it has ended") { !process.isAlive }
            #expect(log.lastLines(100).count > 3)
            #expect(!log.lastLines(100).contains { $0.contains("pipe:") })
        }
    }

    @Test func appendsToTheLog() async throws {
        try await Workshop.run { workshop in
            let script = try workshop.script("program", "echo line")
            let log = LogFile(path: "\(workshop.path)/log")
            for _ in 0..<2 {
                let process = try DetachedProcess.start(script, environment: [:], log: log.path)
                try await eventually("it has ended") { !process.isAlive }
            }
            #expect(log.lastLines(10) == ["line", "line"])
        }
    }

    @Test func saysWhyAProgramCannotBeStarted() async throws {
        try await Workshop.run { workshop in
            let missing = "\(workshop.path)/missing"
            #expect(throws: StackError("\(missing) cannot be started: No such file or directory")) {
                try DetachedProcess.start(missing, environment: [:], log: "\(workshop.path)/log")
            }
        }
    }

    @Test func tellsASignalFromAnExitCode() async throws {
        try await Workshop.run { workshop in
            let script = try workshop.script("program", "kill -9 $$")
            let process = try DetachedProcess.start(script, environment: [:], log: "\(workshop.path)/log")
            try await eventually("it has ended") { !process.isAlive }
            #expect(DetachedProcess.ending(of: process.pid) == "signal 9")
        }
    }
}
