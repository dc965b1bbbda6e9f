import FoundationEssentials
import Glibc
import StackKit
import TestKit

/// A temporary folder of an installation with harmless processes instead of programs.
struct FaultFolder: Sendable {
    let local: LocalFolder

    /// Runs `body` with a new folder, and ends the processes of it.
    static func run(_ body: (FaultFolder) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "proof-\(UUID().uuidString)").path
        let folder = FaultFolder(local: LocalFolder(path: path))
        try folder.local.prepare(leastFree: 0)
        defer {
            for process in folder.local.processes {
                process.send(SIGKILL)
                _ = DetachedProcess.ending(of: process.pid)
            }
            try? FileManager.default.removeItem(atPath: path)
        }
        try await body(folder)
    }

    /// Starts a process that does nothing for an hour, as a program of the installation.
    @discardableResult
    func start(_ name: String) throws -> ProcessIdentity {
        let process = try DetachedProcess.start(
            "/bin/sleep",
            arguments: ["3600"],
            environment: ["PATH": "/usr/bin:/bin", LocalFolder.variable: local.path, "MARK": name],
            log: local.log(of: name)
        )
        try local.pidFile(of: name).write(process)
        return process
    }
}

extension ProcessIdentity {
    /// Waits until the process is in a state of proc(5): S sleeps, T is stopped, Z has exited.
    ///
    /// - Parameter mayHaveExited: Whether one that has exited, which a stopped parent does not notice, will do.
    func reaches(_ state: Character, mayHaveExited: Bool = false) async throws {
        try await eventually("process \(pid) is in state \(state)") {
            let now = ProcessStat(of: pid)?.state
            return now == state || mayHaveExited && (now == nil || now == "Z")
        }
    }
}
