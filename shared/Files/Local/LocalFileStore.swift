import FoundationEssentials
import Glibc
import NIOCore
package import NIOPosix
import SystemPackage

/// Stores files in a folder: `ab/cdef…` for the id `abcdef…`. Every replica of a service must use the same folder.
package struct LocalFileStore: FileStore {
    private let folder: String
    private let threads: NIOThreadPool

    package init(folder: String, threads: NIOThreadPool = .singleton) {
        self.folder = folder
        self.threads = threads
    }

    package func keep(_ file: IncomingFile) async throws {
        let (folder, path) = place(of: file.id)
        try await threads.runIfActive {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            guard rename(file.path, path) == 0 else { throw Errno(rawValue: errno) }
            // The directory entry must survive a power failure as well.
            let directory = try SystemPackage.FileDescriptor.open(
                FilePath(folder),
                .readOnly,
                options: [.directory, .closeOnExec]
            )
            defer { try? directory.close() }
            guard fsync(directory.rawValue) == 0 else { throw Errno(rawValue: errno) }
        }
    }

    package func open(_ id: FileID) async throws -> (any StoredFile)? {
        let path = place(of: id).path
        return try await threads.runIfActive { [threads] in
            do {
                return try LocalFile(path: path, threads: threads)
            } catch Errno.noSuchFileOrDirectory {
                return nil
            }
        }
    }

    package func delete(_ id: FileID) async throws {
        let path = place(of: id).path
        try await threads.runIfActive {
            guard unlink(path) == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
        }
    }

    private func place(of id: FileID) -> (folder: String, path: String) {
        let folder = "\(folder)/\(id.text.prefix(2))"
        return (folder, "\(folder)/\(id.text.dropFirst(2))")
    }
}
