import Glibc
package import StackKit

/// A lock by which one backup is taken at a time. The kernel releases it when the process exits.
package struct BackupLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `StackError` if another process takes a backup.
    package init(_ folder: LocalFolder) throws {
        try folder.prepare()
        descriptor = open("\(folder.path)/run/backup.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw LocalFiles.failure("write", "\(folder.path)/run/backup.lock") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw StackError("another backup is being taken; try again when it is done")
        }
    }

    package func release() {
        close(descriptor)
    }
}
