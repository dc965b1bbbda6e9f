package import FoundationEssentials
import Glibc
import SystemPackage

/// Files that their owner only may read.
package enum PrivateFile {
    /// Replaces a file at once.
    ///
    /// - Throws: `StackError` if it cannot be written.
    package static func write(_ data: Data, to path: String) throws {
        do {
            let draft = "\(path).new"
            let file = try FileDescriptor.open(
                FilePath(draft),
                .writeOnly,
                options: [.create, .truncate, .closeOnExec],
                permissions: .ownerReadWrite
            )
            try file.closeAfter {
                try file.writeAll(data)
                fsync(file.rawValue)
            }
            guard rename(draft, path) == 0 else { throw Errno(rawValue: errno) }
        } catch let error as Errno {
            throw StackError("\(path) cannot be written: \(error)")
        }
    }
}
