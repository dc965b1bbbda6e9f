import FoundationEssentials
import Glibc
import StackKit

/// Files on this machine. Calls block.
enum LocalFiles {
    /// Writes or replaces a file and its folders. After a power failure it is there as a whole or not at all.
    static func write(_ bytes: [UInt8], to path: String, permissions: mode_t) throws {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        try makeFolder(folder)
        let draft = "\(folder)/.\(UUID().uuidString)"
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
        guard file >= 0 else { throw failure("write", path) }
        do {
            defer { close(file) }
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
                guard count > 0 else { throw failure("write", path) }
                written += count
            }
            guard fsync(file) == 0, rename(draft, path) == 0 else { throw failure("write", path) }
        } catch {
            unlink(draft)
            throw error
        }
        try sync(folder)
    }

    /// Creates a folder and its parents, for their owner only.
    static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw failure("write", path)
        }
    }

    /// nil if there is no such file.
    ///
    /// - Parameter range: A part of it; nil for all.
    static func bytes(of path: String, in range: Range<Int>? = nil) throws -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw failure("read", path) }
            return nil
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("read", path) }
        let range = range ?? 0..<Int(status.st_size)
        var bytes = [UInt8](repeating: 0, count: range.count)
        var count = 0
        while count < bytes.count {
            let more = bytes[count...].withUnsafeMutableBytes {
                pread(file, $0.baseAddress, $0.count, range.lowerBound + count)
            }
            guard more >= 0 else { throw failure("read", path) }
            guard more > 0 else { break }
            count += more
        }
        return Array(bytes.prefix(count))
    }

    /// The paths of all files below a folder, relative to it and in alphabetical order, without hidden ones; none if the
    /// folder does not exist.
    static func names(below folder: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw failure("read", folder)
        }
        return try entries.sorted().filter { !$0.hasPrefix(".") }.flatMap { name in
            var isFolder = false
            guard FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder) else {
                return [String]()
            }
            return isFolder ? try names(below: "\(folder)/\(name)").map { "\(name)/\($0)" } : [name]
        }
    }

    static func failure(_ verb: String, _ path: String) -> StackError {
        let reason = String(cString: strerror(errno))
        return StackError(
            errno == ENOSPC
                ? "the disk of \(path) is full; free some space"
                : "cannot \(verb) \(path): \(reason); choose a folder that this user can \(verb)"
        )
    }

    private static func sync(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else { throw failure("write", folder) }
    }
}
