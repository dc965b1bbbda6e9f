import FoundationEssentials
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// A temporary folder for the duration of a test.
struct TemporaryFolder: Fixture {
    let path: String

    static func run(_ body: (TemporaryFolder) async throws -> Void) async throws {
        try await withTemporaryFolder { path in
            try await TestTimes.measure { try await body(TemporaryFolder(path: path)) }
        }
    }

    var local: LocalFolder { LocalFolder(path: "\(path)/local") }

    /// Starts a shell script, with a log named `log`. (Not from a file: a file that was just written cannot be executed
    /// while a process that another test is starting still holds its descriptor.)
    func start(
        _ script: String,
        arguments: [String] = [],
        environment: [String: String] = ["PATH": "/usr/bin:/bin"]
    ) throws -> ProcessIdentity {
        let arguments = ["-c", script, "script"] + arguments
        return try DetachedProcess.start("/bin/sh", arguments: arguments, environment: environment, log: log.path)
    }

    var log: LogFile { LogFile(path: "\(path)/log") }

    func text(_ name: String) -> String { (try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)) ?? "" }
}

extension Trait where Self == FixtureTrait<TemporaryFolder> {
    static var folder: Self { .fixture { try await TemporaryFolder.run($0) } }
}
