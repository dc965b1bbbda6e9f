import FoundationEssentials
import Glibc
import NIOCore
package import NIOPosix
import SystemPackage

/// Keeps files in a folder: `ab/cdef…` for the id `abcdef…`. Every copy of a service must see the same folder.
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
            // The new name, too, is to outlive a loss of power.
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

/// A file of a `LocalFileStore`. Goes on being readable when it is deleted meanwhile.
private final class LocalFile: StoredFile {
    let size: Int
    private let file: SystemPackage.FileDescriptor
    private let threads: NIOThreadPool

    private static let chunkSize = 64 * 1024

    init(path: String, threads: NIOThreadPool) throws {
        file = try SystemPackage.FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
        self.threads = threads
        do {
            size = Int(try file.seek(offset: 0, from: .end))
        } catch {
            try? file.close()
            throw error
        }
    }

    deinit { try? file.close() }

    func read(at position: Int) async throws -> ByteBuffer? {
        let length = min(Self.chunkSize, size - position)
        guard length > 0 else { return nil }
        let bytes = try await threads.runIfActive { [file] in
            var bytes = ByteBuffer()
            try bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { space in
                try file.read(fromAbsoluteOffset: Int64(position), into: .init(rebasing: space[..<length]))
            }
            return bytes
        }
        guard bytes.readableBytes > 0 else { throw Errno.ioError }
        return bytes
    }
}
