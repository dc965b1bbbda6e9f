import FoundationEssentials

/// The file that remembers which process is the one that `up` started under a name.
package struct PidFile: Sendable {
    package let path: String

    /// The remembered process, if it still runs. A file about one that is gone is stale, and as good as none.
    package var process: ProcessIdentity? {
        guard
            let text = try? String(contentsOfFile: path, encoding: .utf8),
            let identity = ProcessIdentity(parsing: text)
        else { return nil }
        return identity.isAlive ? identity : nil
    }

    /// Remembers a process. Written aside and renamed, so that nobody reads half of it.
    package func write(_ identity: ProcessIdentity) throws {
        try Data(identity.text.utf8).write(to: URL(filePath: path), options: .atomic)
    }

    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
