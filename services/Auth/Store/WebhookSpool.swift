import Crypto
import FoundationEssentials
import Glibc

/// A folder of received webhooks, one file each. A file is synced to disk before the provider gets its response, so
/// that neither a crash nor a database outage loses a webhook.
struct WebhookSpool: Sendable {
    /// Further webhooks are rejected, and the provider retries.
    static let limit = 10_000

    let folder: String

    /// The spool is full, or its folder is not writable.
    struct Unavailable: Error {
        var reason: String
    }

    /// Stores a webhook; an identical one is stored once.
    ///
    /// - Throws: `Unavailable`.
    func keep(_ notice: ReceivedWebhook) throws {
        let data = try JSONEncoder().encode(notice)
        let name = SHA256.hash(data: data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard try names().count < Self.limit else { throw Unavailable(reason: "too many notices are waiting") }
        let temporary = "\(folder)/.\(name).\(UInt64.random(in: 0...UInt64.max))"
        try write(data, to: temporary)
        guard rename(temporary, "\(folder)/\(name)") == 0 else { throw Unavailable(reason: Self.reason) }
        try sync(folder)
    }

    /// The stored webhooks with their file names; nil for an unreadable file.
    func waiting() throws -> [(name: String, notice: ReceivedWebhook?)] {
        try names().compactMap { name in
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { return nil }
            return (name, try? JSONDecoder().decode(ReceivedWebhook.self, from: data))
        }
    }

    /// Deletes a handled webhook.
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

    /// A new file name is durable only after its folder is synced.
    private func sync(_ folder: String) throws {
        let directory = open(folder, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw Unavailable(reason: Self.reason) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw Unavailable(reason: Self.reason) }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
