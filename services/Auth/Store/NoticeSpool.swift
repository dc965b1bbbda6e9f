import Crypto
import FoundationEssentials
import Glibc

/// A folder in which notices wait for the database: one file each, on disk before the provider is told that it arrived, so
/// that neither a crash nor a database that is down loses one.
struct NoticeSpool: Sendable {
    /// More is refused; the provider tries again.
    static let limit = 10_000

    let folder: String

    /// The spool is full, or its folder cannot be written to.
    struct Unavailable: Error {
        var reason: String
    }

    /// Keeps a notice. The same one twice is kept once.
    ///
    /// - Throws: `Unavailable`.
    func keep(_ notice: ReceivedNotice) throws {
        let data = try JSONEncoder().encode(notice)
        let name = SHA256.hash(data: data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard try names().count < Self.limit else { throw Unavailable(reason: "too many notices are waiting") }
        let temporary = "\(folder)/.\(name).\(UInt64.random(in: 0...UInt64.max))"
        try write(data, to: temporary)
        guard rename(temporary, "\(folder)/\(name)") == 0 else { throw Unavailable(reason: Self.reason) }
        try sync(folder)
    }

    /// What waits: the name of its file, and the notice; nil for a file that holds none.
    func waiting() throws -> [(name: String, notice: ReceivedNotice?)] {
        try names().compactMap { name in
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { return nil }
            return (name, try? JSONDecoder().decode(ReceivedNotice.self, from: data))
        }
    }

    /// It has taken effect.
    func remove(_ name: String) {
        unlink("\(folder)/\(name)")
    }

    private func names() throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
    }

    private func write(_ data: Data, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Unavailable(reason: Self.reason) }
        defer { close(file) }
        let written = data.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        guard written == data.count, fsync(file) == 0 else { throw Unavailable(reason: Self.reason) }
    }

    /// A new name is on disk only when its folder is.
    private func sync(_ folder: String) throws {
        let directory = open(folder, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw Unavailable(reason: Self.reason) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw Unavailable(reason: Self.reason) }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
