import AppClients
import FoundationEssentials
import Glibc
import PostgresServer
import Subprocess
import SystemPackage
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// The command itself, with the real programs, in a folder and on ports of its own.
@Suite(.timeLimit(.minutes(5)), .stack) struct StackCommandTests {
    private var fixture: StackFixture { .current }

    @Test func upDemoAndDown_succeed() async throws {
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

        let auth = try #require(fixture.folder.pidFile(of: "auth").process)
        auth.send(SIGKILL)
        try await eventually("auth is gone") { !auth.isAlive }
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
        #expect(!fixture.hasDatabase)
        #expect(try await fixture.run("down").isSuccess)
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
        let log = LogFile(path: "\(fixture.folder.path).up")
        let up = try DetachedProcess.start(
            fixture.executable,
            arguments: ["up", "--local", fixture.folder.path],
            environment: ProcessInfo.processInfo.environment.merging(fixture.ports) { $1 },
            log: log.path
        )
        try await eventually("it has started something") {
            let hasDatabase = reached != "postgres" || fixture.hasDatabase
            return hasDatabase && (reached == "postgres" || fixture.folder.pidFile(of: reached).process != nil)
        }
        up.send(SIGINT)
        var ending: String?
        try await eventually("it has ended") {
            ending = DetachedProcess.ending(of: up.pid)
            return ending != nil
        }
        #expect(ending == "exit code 1")
        #expect(log.lastLines(100).contains { $0.contains("interrupted") })
        #expect(fixture.processes.isEmpty)
        #expect(!fixture.hasDatabase)
    }

    @Test func down_stopsRunningOrCrashedUp() async throws {
        for signal in [nil, SIGKILL] {
            let up = try DetachedProcess.start(
                fixture.executable,
                arguments: ["up", "--local", fixture.folder.path],
                environment: ProcessInfo.processInfo.environment.merging(fixture.ports) { $1 },
                log: "\(fixture.folder.path).up"
            )
            try await eventually("auth has started") { fixture.folder.pidFile(of: "auth").process != nil }
            if let signal { up.send(signal) }
            let down = try await fixture.run("down")
            #expect(down.isSuccess, "\(down.text)")
            // It ends by itself when its programs are gone.
            try await eventually("up has ended") { !up.isAlive }
            _ = DetachedProcess.ending(of: up.pid)
            #expect(fixture.processes.isEmpty)
            #expect(!fixture.hasDatabase)
        }
    }

    @Test func demo_withoutStack_namesMakeUp() async throws {
        let demo = try await fixture.run("demo")
        #expect(!demo.isSuccess)
        #expect(demo.text.contains("make up"))
    }
}

/// The folder and the ports of one test's stack.
struct StackFixture: Fixture {
    let folder: LocalFolder
    let names: [String]
    let ports: [String: String]
    let executable = "\(Executables.folder)/stack"

    static func run(_ body: (StackFixture) async throws -> Void) async throws {
        try await TemporaryFolder.run { temporary in
            let programs = try Programs(environment: [:]).all
            let ports = programs.flatMap(\.ports)
            let numbers = try Ports.free(ports.count).map(String.init)
            let fixture = StackFixture(
                folder: temporary.local,
                names: programs.map(\.name),
                ports: Dictionary(uniqueKeysWithValues: zip(ports.map(\.variable), numbers))
            )
            do {
                try await body(fixture)
            } catch {
                _ = try? await fixture.run("down")
                throw error
            }
            _ = try await fixture.run("down")
        }
    }

    func port(_ variable: String) -> String { ports[variable] ?? "" }

    /// Runs a verb with the ports of this stack, or with other variables.
    func run(
        _ verb: String,
        _ words: String...,
        variables: [String: String]? = nil
    ) async throws -> (isSuccess: Bool, text: String) {
        let variables = verb == "up" ? ports.merging(variables ?? [:]) { $1 } : variables ?? ports
        let pairs = variables.map { (Environment.Key(stringLiteral: $0.key), String?.some($0.value)) }
        let result = try await Subprocess.run(
            .path(FilePath(executable)),
            arguments: Arguments([verb, "--local", folder.path] + words),
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: pairs)),
            output: .string(limit: 1 << 20),
            error: .combinedWithOutput
        )
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    /// The running processes, by the pid files.
    var processes: [ProcessIdentity] { names.compactMap { folder.pidFile(of: $0).process } }

    var hasDatabase: Bool { (try? PostgresServer(directory: folder.postgres))?.isRunning == true }
}

extension Trait where Self == FixtureTrait<StackFixture> {
    fileprivate static var stack: Self { .fixture { try await StackFixture.run($0) } }
}
