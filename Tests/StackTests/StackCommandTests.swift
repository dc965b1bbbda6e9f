import AppClients
import FoundationEssentials
import Glibc
import NIOCore
import PostgresServer
import Subprocess
import SystemPackage
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// The command itself, with the real programs, in a folder and on ports of its own.
@Suite(.timeLimit(.minutes(20)), .stack) struct StackCommandTests {
    private var fixture: StackFixture { .current }

    @Test func upDemoAndDown_succeed() async throws {
        let early = try await fixture.run("upgrade", "gateway")
        #expect(!early.isSuccess && early.text.contains("gateway does not run; start it with: stack up"))
        let up = try await fixture.run("up")
        #expect(up.isSuccess, "\(up.text)")
        #expect(up.text.contains("Madang is up at http://127.0.0.1:\(fixture.port("GATEWAY_PORT"))"))
        #expect(try await fixture.run("status").isSuccess)
        try await theFirstRequestWorksAsPrinted(by: up.text)

        let again = try await fixture.run("up")
        #expect(again.isSuccess)
        #expect(again.text.contains("already up"))

        let demo = try await fixture.run("demo")
        #expect(demo.isSuccess, "\(demo.text)")
        #expect(demo.text.contains("강남"))
        #expect(try await fixture.run("seed").text.contains("as before"))

        let notice = try await fixture.run("announce", "moup", "점검 안내", "오늘 밤 두 시부터", "--key", "night")
        #expect(notice.isSuccess && notice.text.contains("is sent to moup"), "\(notice.text)")
        let repeated = try await fixture.run("announce", "moup", "점검 안내", "오늘 밤 두 시부터", "--key", "night")
        #expect(repeated.isSuccess && repeated.text == notice.text)
        let other = try await fixture.run("announce", "moup", "다른 안내", "--key", "night")
        #expect(!other.isSuccess && other.text.contains("Idempotency-Key"), "\(other.text)")
        let nowhere = try await fixture.run("announce", "kakao", "점검 안내")
        #expect(!nowhere.isSuccess && nowhere.text.contains("seatcatcher, moup, anlaka, culture, withsuhyeon"))

        // `status` and `up` find a stack on changed ports without the variables.
        #expect(try await fixture.run("status", variables: [:]).isSuccess)

        try await upgradeOfGatewayKeepsConnections()
        #expect(try await fixture.run("status", variables: [:]).isSuccess)

        let auth = try #require(fixture.folder.pidFile(of: "auth").process)
        for process in [try #require(fixture.supervisor), auth] { process.send(SIGKILL) }
        try await eventually("both are gone") { !auth.isAlive && fixture.supervisor == nil }
        #expect(try await !fixture.run("status").isSuccess)
        let healed = try await fixture.run("up")
        #expect(healed.isSuccess, "\(healed.text)")
        #expect(!healed.text.contains("✓ seats"), "healthy services stay up")
        #expect(try await fixture.run("status").isSuccess)

        let processes = fixture.processes
        #expect(processes.count == fixture.names.count)
        let down = try await fixture.run("down")
        #expect(down.isSuccess)
        #expect(processes.count { $0.isAlive } == 0)
        #expect(fixture.supervisor == nil)
        #expect(!fixture.hasDatabase)
        #expect(try await fixture.run("down").isSuccess)
    }

    @Test func deadProcesses_areStartedAgainAndCounted() async throws {
        #expect(try await fixture.run("up").isSuccess)
        let auth = try #require(fixture.folder.pidFile(of: "auth").process)
        let seats = try #require(fixture.folder.pidFile(of: "seats").process)
        // A signal from outside prints a backtrace. A real fault repeats itself then and ends the process; a signal must be
        // sent again.
        for (name, process) in [("auth", auth), ("seats", seats)] {
            process.send(SIGSEGV)
            let log = LogFile(path: fixture.folder.log(of: name))
            try await eventually("\(name) has printed a backtrace") {
                log.lastLines(50).contains { $0.hasPrefix("Backtrace took") } && !fixture.hasChildren(process)
            }
            process.send(SIGSEGV)
        }
        try await eventually("they are started again") {
            let now = ["auth", "seats"].map { fixture.folder.pidFile(of: $0).process }
            return now.allSatisfy { $0 != nil && $0 != auth && $0 != seats }
        }
        try await fixture.waitUntilReady()
        #expect(try await fixture.restarts == ["auth": "1", "seats": "1"])
        let reports = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.crashes).sorted()
        #expect(reports.count == 2 && reports[0].hasPrefix("auth-") && reports[1].hasPrefix("seats-"))
        let report = try String(contentsOfFile: "\(fixture.folder.crashes)/\(reports[0])", encoding: .utf8)
        #expect(report.contains("Program crashed") && report.contains(" crashed:"))

        kill(try #require(PostgresServer(directory: fixture.folder.postgres).processID), SIGKILL)
        try await eventually("the database is started again") { try await fixture.restarts["postgres"] == "1" }
        try await fixture.waitUntilReady()
        #expect(try await fixture.run("down").isSuccess)
        #expect(fixture.supervisor == nil && fixture.processes.isEmpty && !fixture.hasDatabase)
    }

    private func upgradeOfGatewayKeepsConnections() async throws {
        let connection = try await RawConnection.connect(to: try #require(Int(fixture.port("GATEWAY_PORT"))))
        let request = "GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n"
        // The body, which is the end of the response.
        let untilReady: (inout ByteBuffer) -> Void? = {
            $0.readableBytesView.suffix(5).elementsEqual("ready".utf8) ? $0.clear() : nil
        }
        try await connection.send(request)
        #expect(await connection.read(untilReady) != nil)
        let old = try #require(fixture.folder.pidFile(of: "gateway").process)
        let upgrade = try await fixture.run("upgrade", "gateway")
        #expect(upgrade.isSuccess && upgrade.text.contains("process \(old.pid) → "), "\(upgrade.text)")
        let new = try #require(fixture.folder.pidFile(of: "gateway").process)
        #expect(new != old && new.isAlive && !old.isAlive)
        try await connection.send(request)
        #expect(await connection.read(untilReady) != nil)
        let other = try await fixture.run("upgrade", "kakao")
        #expect(!other.isSuccess && other.text.contains("gateway"))
    }

    private func theFirstRequestWorksAsPrinted(by up: String) async throws {
        guard let shell = Executables.find("bash"), Executables.find("curl") != nil else { return }
        let lines = up.split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.contains("curl") }, "\(up)")
        let command = lines[start...].prefix(3).joined(separator: "\n")
        let reply = try await run(
            .path(FilePath(shell)),
            arguments: ["-c", "\(command) --silent --show-error --fail"],
            output: .string(limit: 1 << 16),
            error: .combinedWithOutput
        )
        #expect(reply.terminationStatus.isSuccess, "\(reply.standardOutput)")
        #expect(JSON(parsing: reply.standardOutput.utf8)?["nick"] == "마당")
    }

    @Test func up_withFailingProgram_reportsAndCleansUp() async throws {
        let up = try await fixture.run("up", variables: ["REQUEST_DEADLINE": "soon"])
        #expect(!up.isSuccess)
        #expect(up.text.contains("stopped while starting (exit code 1). Its last output:"))
        #expect(up.text.contains("cannot start: REQUEST_DEADLINE must be a number of seconds above 0"))
        #expect(fixture.processes.isEmpty)
        #expect(!fixture.hasDatabase)
    }

    @Test func up_withTakenPort_reportsAndCleansUp() async throws {
        let (descriptor, port) = try PortsTests.listen()
        defer { close(descriptor) }
        let up = try await fixture.run("up", variables: ["SEATS_PORT": String(port)])
        #expect(!up.isSuccess)
        #expect(up.text.contains("port \(port), which seats needs, is taken by "))
        #expect(up.text.contains("process \(getpid())"))
        #expect(up.text.contains("SEATS_PORT="))
        #expect(fixture.processes.isEmpty)
        #expect(!fixture.hasDatabase)
    }

    @Test(arguments: ["postgres", "auth"])
    func interruptedUp_cleansUp(reached: String) async throws {
        let (up, log) = try fixture.start("up")
        try await eventually("it has started something") {
            let hasDatabase = reached != "postgres" || fixture.hasDatabase
            return hasDatabase && (reached == "postgres" || fixture.folder.pidFile(of: reached).process != nil)
        }
        up.send(SIGINT)
        #expect(try await fixture.ending(of: up) == "exit code 1")
        #expect(log.lastLines(100).contains { $0.contains("interrupted") })
        #expect(fixture.processes.isEmpty)
        #expect(!fixture.hasDatabase)
    }

    @Test func down_stopsRunningOrCrashedUp() async throws {
        for signal in [nil, SIGKILL] {
            let (up, _) = try fixture.start("up")
            try await eventually("auth has started") { fixture.folder.pidFile(of: "auth").process != nil }
            if let signal { up.send(signal) }
            let down = try await fixture.run("down")
            #expect(down.isSuccess, "\(down.text)")
            // It ends by itself when its programs are gone.
            _ = try await fixture.ending(of: up)
            #expect(fixture.processes.isEmpty)
            #expect(!fixture.hasDatabase)
        }
    }

    /// The time in which callers go on to another copy is for upgrades.
    @Test func down_doesNotWaitForCallers() async throws {
        #expect(try await fixture.run("up", variables: ["SHUTDOWN_DELAY": "600"]).isSuccess)
        let down = try await fixture.run("down")
        #expect(down.isSuccess && !down.text.contains("killed"), "\(down.text)")
        #expect(fixture.folder.processes.isEmpty)
    }

    @Test func demo_withoutStack_namesMakeUp() async throws {
        let demo = try await fixture.run("demo")
        #expect(!demo.isSuccess)
        #expect(demo.text.contains("make up"))
    }
}
