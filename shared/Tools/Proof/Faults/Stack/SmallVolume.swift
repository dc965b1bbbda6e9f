import FoundationEssentials
import PostgresServer
package import StackKit

/// A small volume in memory for an installation's database, so that it can be full. It needs root.
package struct SmallVolume: Sendable {
    /// The database's folder.
    package let path: String

    /// - Parameter folder: Of an installation that is down and has no database.
    package init(for folder: LocalFolder) throws {
        path = try PostgresServer(directory: folder.postgres).directory
    }

    init(path: String) { self.path = path }

    /// - Parameter size: In bytes; an empty database takes 200 MB.
    /// - Throws: `StackError` if that is not possible.
    package func mount(size: Int) async throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw StackError("\(path) cannot be created: \(error)")
        }
        guard KernelFile.names(path).isEmpty else { throw StackError("\(path) is not empty; remove what is in it") }
        try await SystemCommand.run("mount", "-t", "tmpfs", "-o", "size=\(size),mode=755", "tmpfs", path)
    }

    /// Removes it with all that is in it. A server that has just ended may still be there for a moment, in which the volume
    /// would be busy.
    package func unmount() async throws { try await SystemCommand.run("umount", "--lazy", path) }
}
