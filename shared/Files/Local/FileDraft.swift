import FoundationEssentials
import Glibc
import NIOCore
import Synchronization
import SystemPackage

/// A file being written, with a unique name. All calls block briefly.
final class FileDraft: Sendable {
    let path: String
    /// nil once it is closed.
    private let file: Mutex<SystemPackage.FileDescriptor?>

    init(in folder: String) throws {
        path = "\(folder)/\(UUID().uuidString)"
        do {
            let file = try SystemPackage.FileDescriptor.open(
                FilePath(path),
                .writeOnly,
                options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead]
            )
            self.file = Mutex(file)
        } catch let error as Errno {
            throw Self.failure(error)
        }
    }

    func write(_ bytes: ByteBuffer) throws {
        do {
            _ = try file.withLock { file in try bytes.withUnsafeReadableBytes { try file?.writeAll($0) } }
        } catch let error as Errno {
            throw Self.failure(error)
        }
    }

    /// Syncs the bytes to disk, so that they survive a power failure, and closes the file.
    func close() throws {
        try file.withLock { file in
            guard let open = file else { return }
            guard fsync(open.rawValue) == 0 else { throw Self.failure(Errno(rawValue: errno)) }
            file = nil
            try open.close()
        }
    }

    /// Closes and deletes the file.
    func remove() {
        file.withLock { file in
            try? file?.close()
            file = nil
        }
        Self.remove(path)
    }

    static func remove(_ path: String) {
        unlink(path)
    }

    static func removeLeftovers(in folder: String, olderThan seconds: Double) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            var facts = stat()
            guard stat("\(folder)/\(name)", &facts) == 0 else { continue }
            if Date.now.timeIntervalSince1970 - Double(facts.st_mtim.tv_sec) > seconds { remove("\(folder)/\(name)") }
        }
    }

    private static func failure(_ error: Errno) -> any Error {
        error == .noSpace || error == .diskQuotaExceeded ? FilesError.noSpace : error
    }
}
