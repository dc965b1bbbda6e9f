import AppClients
import FoundationEssentials
import Glibc
import PostgresServer
import Subprocess
import SystemPackage
import Testing

@testable import Stack
@testable import StackKit

/// The command itself, with the real programs, in a folder and on ports of its own.
@Suite(.timeLimit(.minutes(5))) struct StackCommandTests {
    @Test func upDemoAndDown_succeed() async throws {
        try await House.run { house in
            let up = try await house.stack("up")
            #expect(up.isSuccess, "\(up.text)")
            #expect(up.text.contains("Madang is up at http://127.0.0.1:\(house.port("GATEWAY_PORT"))"))
            #expect(try await house.stack("status").isSuccess)
            try await theFirstRequestWorksAsPrinted(by: up.text)

            let again = try await house.stack("up")
            #expect(again.isSuccess)
            #expect(again.text.contains("already up"))

            let demo = try await house.stack("demo")
            #expect(demo.isSuccess, "\(demo.text)")
            #expect(demo.text.contains("강남"))
            #expect(try await house.stack("seed").text.contains("as before"))

            let notice = try await house.stack("announce", "moup", "점검 안내", "오늘 밤 두 시부터", "--key", "night")
            #expect(notice.isSuccess && notice.text.contains("is sent to moup"), "\(notice.text)")
            let repeated = try await house.stack("announce", "moup", "점검 안내", "오늘 밤 두 시부터", "--key", "night")
            #expect(repeated.isSuccess && repeated.text == notice.text)
            let other = try await house.stack("announce", "moup", "다른 안내", "--key", "night")
            #expect(!other.isSuccess && other.text.contains("Idempotency-Key"), "\(other.text)")
            let nowhere = try await house.stack("announce", "kakao", "점검 안내")
            #expect(!nowhere.isSuccess && nowhere.text.contains("seatcatcher, moup, anlaka, culture, withsuhyeon"))

            // `status` and `up` find a stack on changed ports without the variables.
            #expect(try await house.stack("status", variables: [:]).isSuccess)

            let auth = try #require(house.folder.pidFile(of: "auth").process)
            auth.send(SIGKILL)
            try await eventually("auth is gone") { !auth.isAlive }
            #expect(try await !house.stack("status").isSuccess)
            let healed = try await house.stack("up")
            #expect(healed.isSuccess, "\(healed.text)")
            #expect(!healed.text.contains("✓ seats"), "healthy services stay up")
            #expect(try await house.stack("status").isSuccess)

            let processes = house.processes
            #expect(processes.count == house.names.count)
            let down = try await house.stack("down")
            #expect(down.isSuccess)
            #expect(processes.count { $0.isAlive } == 0)
            #expect(!house.hasDatabase)
            #expect(try await house.stack("down").isSuccess)
        }
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
        try await House.run { house in
            let up = try await house.stack("up", variables: ["REQUEST_DEADLINE": "soon"])
            #expect(!up.isSuccess)
            #expect(up.text.contains("stopped while starting (exit code 1). It said last:"))
            #expect(up.text.contains("cannot start: REQUEST_DEADLINE must be a number of seconds above 0"))
            #expect(house.processes.isEmpty)
            #expect(!house.hasDatabase)
        }
    }

    @Test func up_withTakenPort_reportsAndCleansUp() async throws {
        try await House.run { house in
            let (descriptor, port) = try PortsTests.listen()
            defer { close(descriptor) }
            let up = try await house.stack("up", variables: ["SEATS_PORT": String(port)])
            #expect(!up.isSuccess)
            #expect(up.text.contains("port \(port), which seats needs, is taken by "))
            #expect(up.text.contains("process \(getpid())"))
            #expect(up.text.contains("SEATS_PORT="))
            #expect(house.processes.isEmpty)
            #expect(!house.hasDatabase)
        }
    }

    @Test(arguments: ["postgres", "auth"])
    func interruptedUp_cleansUp(reached: String) async throws {
        try await House.run { house in
            let log = LogFile(path: "\(house.folder.path).up")
            let up = try DetachedProcess.start(
                house.executable,
                arguments: ["up", "--local", house.folder.path],
                environment: ProcessInfo.processInfo.environment.merging(house.ports) { $1 },
                log: log.path
            )
            try await eventually("it has started something") {
                let hasDatabase = reached != "postgres" || house.hasDatabase
                return hasDatabase && (reached == "postgres" || house.folder.pidFile(of: reached).process != nil)
            }
            up.send(SIGINT)
            var ending: String?
            try await eventually("it has ended") {
                ending = DetachedProcess.ending(of: up.pid)
                return ending != nil
            }
            #expect(ending == "exit code 1")
            #expect(log.lastLines(100).contains { $0.contains("interrupted") })
            #expect(house.processes.isEmpty)
            #expect(!house.hasDatabase)
        }
    }

    @Test func down_stopsRunningOrCrashedUp() async throws {
        try await House.run { house in
            for signal in [nil, SIGKILL] {
                let up = try DetachedProcess.start(
                    house.executable,
                    arguments: ["up", "--local", house.folder.path],
                    environment: ProcessInfo.processInfo.environment.merging(house.ports) { $1 },
                    log: "\(house.folder.path).up"
                )
                try await eventually("auth has started") { house.folder.pidFile(of: "auth").process != nil }
                if let signal { up.send(signal) }
                let down = try await house.stack("down")
                #expect(down.isSuccess, "\(down.text)")
                #expect(!up.isAlive)
                _ = DetachedProcess.ending(of: up.pid)
                #expect(house.processes.isEmpty)
                #expect(!house.hasDatabase)
            }
        }
    }

    @Test func demo_withoutStack_namesMakeUp() async throws {
        try await House.run { house in
            let demo = try await house.stack("demo")
            #expect(!demo.isSuccess)
            #expect(demo.text.contains("make up"))
        }
    }
}

/// The folder and the ports of one test's stack.
struct House {
    let folder: LocalFolder
    let names: [String]
    let ports: [String: String]
    let executable = "\(Executables.folder)/stack"

    static func run(_ body: (House) async throws -> Void) async throws {
        try await Workshop.run { workshop in
            let members = try Fleet(environment: [:]).members
            let ports = members.flatMap(\.ports)
            let numbers = try Ports.free(ports.count).map(String.init)
            let house = House(
                folder: workshop.local,
                names: members.map(\.name),
                ports: Dictionary(uniqueKeysWithValues: zip(ports.map(\.variable), numbers))
            )
            do {
                try await body(house)
            } catch {
                _ = try? await house.stack("down")
                throw error
            }
            _ = try await house.stack("down")
        }
    }

    func port(_ variable: String) -> String { ports[variable] ?? "" }

    /// Runs a verb with the ports of this stack, or with other variables.
    func stack(
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
    var processes: [ProcessIdentity] {
        names.compactMap { folder.pidFile(of: $0).process }
    }

    var hasDatabase: Bool {
        (try? PostgresServer(directory: folder.postgres))?.isRunning == true
    }
}
