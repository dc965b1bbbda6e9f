import FoundationEssentials
import PostgresServer
import Subprocess
import SystemPackage
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// The folder and the ports of one test's stack.
struct StackFixture: Fixture {
    let folder: LocalFolder
    let names: [String]
    let ports: [String: String]
    let executable = "\(Executables.folder)/stack"

    /// A machine on which other tests run answers late, and has more to do than to keep every trace.
    private static let usual = [
        "REQUEST_DEADLINE": "100", "CALL_DEADLINE": "60", "UPSTREAM_TIMEOUT": "120", "TRACES_KEPT": "0.01",
    ]

    /// A stack is twelve programs and a server, and two processors do no more than three at a time well.
    static let places = Slots(3)

    static func run(_ body: (StackFixture) async throws -> Void) async throws {
        try await places.withSlots { try await runAtOnce(body) }
    }

    private static func runAtOnce(_ body: (StackFixture) async throws -> Void) async throws {
        try await TemporaryFolder.run { temporary in
            let programs = try Programs(environment: [:]).all
            let ports = programs.flatMap(\.ports)
            let numbers = try FreePort.find(ports.count).map(String.init)
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
        try await run(verb, words, variables: variables)
    }

    /// - Parameter verb: With that of a group before it, such as `events list`.
    func run(
        _ verb: String,
        _ words: [String],
        variables: [String: String]? = nil
    ) async throws -> (isSuccess: Bool, text: String) {
        let variables = Self.usual.merging(
            verb == "up" ? ports.merging(variables ?? [:]) { $1 } : variables ?? ports
        ) { $1 }
        let pairs = variables.map { (Environment.Key(stringLiteral: $0.key), String?.some($0.value)) }
        let result = try await Subprocess.run(
            .path(FilePath(executable)),
            arguments: Arguments(verb.split(separator: " ").map(String.init) + ["--local", folder.path] + words),
            // As a person runs it, whose programs report their crashes.
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: pairs)).updating(["SWIFT_BACKTRACE": nil]),
            output: .string(limit: 1 << 20),
            error: .combinedWithOutput
        )
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    /// Starts a verb with the ports of this stack, without waiting for it.
    func start(_ verb: String, _ words: String...) throws -> (process: ProcessIdentity, log: LogFile) {
        let log = LogFile(path: "\(folder.path).\(verb)-\(UUID().uuidString)")
        let variables = Self.usual.merging(ports) { $1 }
        let process = try DetachedProcess.start(
            executable,
            arguments: [verb, "--local", folder.path] + words,
            environment: ProcessInfo.processInfo.environment.merging(variables) { $1 },
            log: log.path
        )
        return (process, log)
    }

    /// How a started verb has ended.
    func ending(of process: ProcessIdentity) async throws -> String? {
        var ending: String?
        try await eventually("the command has ended", within: .seconds(240)) {
            ending = DetachedProcess.ending(of: process.pid)
            return ending != nil
        }
        return ending
    }

    /// The running processes, by the pid files.
    var processes: [ProcessIdentity] { names.compactMap { folder.pidFile(of: $0).process } }

    /// Waits until `status` succeeds; its last output and the supervisor's log are the reason if it does not.
    func waitUntilReady() async throws {
        var status = ""
        do {
            try await eventually("all are ready", within: .seconds(240)) {
                let (isSuccess, text) = try await run("status")
                status = text
                return isSuccess
            }
        } catch {
            Issue.record(
                "\(status)\n\(LogFile(path: folder.log(of: Supervisor.name)).lastLines(40).joined(separator: "\n"))"
            )
            throw error
        }
    }

    /// Whether a process has children, such as those that print its backtrace.
    func hasChildren(_ process: ProcessIdentity) -> Bool {
        let tasks = "/proc/\(process.pid)/task"
        return KernelFile.names(tasks).contains { KernelFile.text("\(tasks)/\($0)/children")?.isEmpty == false }
    }

    var supervisor: ProcessIdentity? { folder.pidFile(of: Supervisor.name).process }

    /// The last column of `status`, by process, where it is not 0.
    var restarts: [String: String] {
        get async throws {
            let rows = try await run("status").text.split(separator: "\n").map {
                $0.split(separator: " ").map(String.init)
            }
            let counted = rows.filter { Int($0.last ?? "") ?? 0 > 0 }
            return Dictionary(uniqueKeysWithValues: counted.map { ($0[0], $0[$0.count - 1]) })
        }
    }

    var hasDatabase: Bool { (try? PostgresServer(directory: folder.postgres))?.isRunning == true }
}

extension Trait where Self == FixtureTrait<StackFixture> {
    static var stack: Self { .fixture { try await StackFixture.run($0) } }
}
