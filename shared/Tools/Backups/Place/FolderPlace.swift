import FoundationEssentials
import Glibc
import StackKit

/// A folder that only its owner can read. Calls block.
package struct FolderPlace: BackupPlace {
    private let root: String

    /// - Parameter path: An absolute path.
    package init(path: String) {
        root = path
    }

    package var description: String { root }

    package func path(of folder: String) -> String? { "\(root)/\(folder)" }

    package func put(_ bytes: [UInt8], as name: String) throws {
        try LocalFiles.write(bytes, to: "\(root)/\(name)", permissions: 0o600)
    }

    package func get(_ name: String) throws -> [UInt8]? {
        try LocalFiles.bytes(of: "\(root)/\(name)")
    }

    package func names(below folder: String) throws -> [String] {
        try LocalFiles.names(below: "\(root)/\(folder)").map { "\(folder)/\($0)" }
    }

    /// Deletes the folders as well that become empty.
    package func delete(_ name: String) throws {
        var path = "\(root)/\(name)"
        guard unlink(path) == 0 || errno == ENOENT else { throw LocalFiles.failure("delete", path) }
        while let end = path.lastIndex(of: "/"), end > path.index(path.startIndex, offsetBy: root.count) {
            path = String(path[..<end])
            guard rmdir(path) == 0 else { return }
        }
    }
}
