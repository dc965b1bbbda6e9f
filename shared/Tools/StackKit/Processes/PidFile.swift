import FoundationEssentials

/// The file with the identity of the process that `up` started under a name.
package struct PidFile: Sendable {
    package let path: String

    /// The recorded process, if it still runs. The file of a process that has exited is ignored.
    package var process: ProcessIdentity? {
        guard
            let text = try? String(contentsOfFile: path, encoding: .utf8),
            let identity = ProcessIdentity(parsing: text)
        else { return nil }
        return identity.isAlive ? identity : nil
    }

    /// Records a process. The file is replaced atomically.
    package func write(_ identity: ProcessIdentity) throws {
        try Data(identity.text.utf8).write(to: URL(filePath: path), options: .atomic)
    }

    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
