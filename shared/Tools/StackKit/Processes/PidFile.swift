import FoundationEssentials

/// The file with the identity of the process that `up` started under a name.
package struct PidFile: Sendable {
    package let path: String

    /// The recorded process, if it still runs. The file of a process that has exited is ignored.
    package var process: ProcessIdentity? { recorded.flatMap { $0.isAlive ? $0 : nil } }

    /// Whether the file names a process that has exited.
    package var isStale: Bool { recorded.map { !$0.isAlive } ?? false }

    /// Ends what is left of a process that has exited.
    package func endRest() {
        if isStale { recorded?.endRest() }
    }

    private var recorded: ProcessIdentity? {
        (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { ProcessIdentity(parsing: $0) }
    }

    /// Records a process. The file is replaced atomically.
    package func write(_ identity: ProcessIdentity) throws {
        try Data(identity.text.utf8).write(to: URL(filePath: path), options: .atomic)
    }

    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
