import FoundationEssentials
import Logging
import Postgres
import PostgresServer
import StackKit
import TestKit

@testable import Backups

/// A server with a table of acknowledged writes, an archive of it, and files.
struct BackupFixture: Sendable {
    let root: String
    let server: PostgresServer
    let place: any BackupPlace

    var folder: LocalFolder { LocalFolder(path: "\(root)/local") }
    var files: String { "\(root)/files" }

    private static let settings = ["shared_buffers": "16MB", "fsync": "off"]

    /// - Parameter place: The place of backups; a folder without it.
    static func run(
        place: (any BackupPlace)? = nil,
        _ body: @Sendable (BackupFixture) async throws -> Void
    ) async throws {
        let root = "\(PostgresServer.temporaryFolder)/backups-tests-\(UUID().uuidString.prefix(8))"
        let server = try await TestServer.another(in: "\(root)/postgres", settings: settings)
        let fixture = BackupFixture(root: root, server: server, place: place ?? FolderPlace(path: "\(root)/place"))
        do {
            try fixture.folder.prepare()
            try await server.start(detached: false)
            _ = try await fixture.withClient { client in
                try await client.execute("CREATE TABLE entries (id bigint PRIMARY KEY, writer bigint NOT NULL)")
            }
            try await body(fixture)
        } catch {
            try? await server.stop(.immediate)
            try? FileManager.default.removeItem(atPath: root)
            throw error
        }
        try? await server.stop(.immediate)
        try? FileManager.default.removeItem(atPath: root)
    }

    func withClient<Value: Sendable>(_ body: (PostgresClient) async throws -> Value) async throws -> Value {
        try await BackupSource(server).withClient(body)
    }

    func insert(_ ids: some Sequence<Int>) async throws {
        try await withClient { client in
            for id in ids { try await client.execute("INSERT INTO entries (id, writer) VALUES (\(Int64(id)), 0)") }
        }
    }

    /// The server's time, after all that was written before.
    func now() async throws -> Date {
        try await withClient { client in try await client.one("SELECT clock_timestamp()") { try $0.decode(Date.self) } }
    }

    func ids() async throws -> [Int64] {
        try await withClient { client in
            try await client.all("SELECT id FROM entries ORDER BY id") { try $0.decode(Int64.self) }
        }
    }

    @discardableResult
    func backUp(keep days: Int = 7) async throws -> BackupManifest {
        try await BaseBackup(source: BackupSource(server), place: place) { _ in }
            .take(files: FileArchive(folder: files, place: place), keep: days)
    }

    @discardableResult
    func restore(to target: Date? = nil) async throws -> Restore.Outcome {
        try await Restore(place: place, server: server, files: files) { _ in }.run(to: target, in: folder)
    }

    /// Archives while `body` runs; all that was committed by its end is archived.
    func archiving(_ body: () async throws -> Void) async throws {
        let archiver = Archiver(
            source: { [server] in try BackupSource(server) },
            place: place,
            folder: folder,
            files: files,
            keep: 7
        ) { _ in }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await archiver.run() }
            defer { group.cancelAll() }
            try await body()
            archiver.stop()
            try await group.next()
        }
    }

    /// Waits until a backup in the present history is complete, and a moment after it is archived.
    func untilArchived(besides known: Int = 0) async throws {
        try await eventually("a base backup is complete") {
            try await BackupCatalogue(of: place).backups.count > known
        }
        try await untilArchived(after: BackupCatalogue(of: place).backups.last?.ended ?? .now)
    }

    func untilArchived(after moment: Date) async throws {
        try await eventually("\(moment) is archived") { (state?.until ?? .distantPast) > moment }
    }

    var state: ArchiveState? { ArchiveState(of: folder) }

    func write(file: String, _ text: String) throws {
        try LocalFiles.write(Array(text.utf8), to: "\(files)/\(file)", permissions: 0o640)
    }

    func text(ofFile file: String) throws -> String? {
        try LocalFiles.bytes(of: "\(files)/\(file)").map { String(decoding: $0, as: UTF8.self) }
    }

    /// The disk of the server is gone in the middle of its work.
    func loseDisk() async throws {
        try await server.kill()
        try await server.remove()
    }
}
