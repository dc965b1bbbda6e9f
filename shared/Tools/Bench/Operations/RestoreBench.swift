import Backups
import FoundationEssentials
import Postgres
import PostgresServer
import StackKit
import Subprocess

/// A database of 1 GB is backed up and restored to its last second, with the write-ahead log of a transaction a row
/// after the backup.
///
/// The yardstick is `cp -a` of the same cluster, which copies it as it is: neither compressed nor checked.
struct RestoreBench: BenchSuite {
    let name = "restore"
    let summary = "backup and restore of a database of 1 GB beside cp -a; takes minutes"
    let tools = [BenchTool(command: "psql", package: "postgresql"), BenchTool(command: "tar", package: "tar")]
    let runsWhenNamedOnly = true

    /// Rows of about 1 KB, of which a part is random, as the texts of messages are.
    private static let rows: Int64 = 900_000
    private static let laterRows: Int64 = 5_000

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        let folder = LocalFolder(path: "\(bench.scratch)/local")
        let place = FolderPlace(path: "\(bench.scratch)/backups")
        let files = "\(bench.scratch)/files"
        let server = try PostgresServer(directory: "\(bench.scratch)/postgres", settings: ["max_wal_size": "4GB"])
        try folder.prepare()
        bench.report("filling a database of 1 GB")
        try await server.start(detached: false)
        do {
            try await fill(server)
            let backup = try await seconds {
                let base = BaseBackup(source: try BackupSource(server), place: place, report: bench.report)
                _ = try await base.take(files: FileArchive(folder: files, place: place), keep: 7)
            }
            let archiver = Archiver(
                source: { try BackupSource(server) },
                place: place,
                folder: folder,
                files: files,
                keep: 7,
                report: bench.report
            )
            try await archive(archiver, place) { try await write(server) }
            try await server.stop()
            bench.report("copying it by cp -a")
            let copy = try await seconds {
                _ = try await Subprocess.run(
                    .name("sh"),
                    arguments: ["-c", "cp -a \"$1\" \"$2\" && sync", "sh", server.directory, "\(bench.scratch)/copy"],
                    output: .discarded
                )
            }
            let restore = Restore(place: place, server: server, files: files, report: bench.report)
            let restored = try await seconds { _ = try await restore.run(to: nil, in: folder) }
            try await server.start(detached: false)
            let count = try await server.withClient(of: "postgres") { client in
                try await client.one("SELECT count(*) FROM entries") { try $0.decode(Int64.self) }
            }
            try await server.stop()
            guard count == Self.rows + Self.laterRows else { throw StackError("\(count) rows were restored") }
            let yardstick = BenchResult.Yardstick(name: "cp -a and sync of the same cluster", value: copy)
            return [
                BenchResult(name: "backup of 1 GB", unit: "s", ours: backup, yardstick: yardstick),
                BenchResult(
                    name: "restore of 1 GB to the last second",
                    unit: "s",
                    ours: restored,
                    yardstick: yardstick,
                    goal: .atMost(120)
                ),
            ]
        } catch {
            try? await server.stop(.immediate)
            throw error
        }
    }

    private func fill(_ server: PostgresServer) async throws {
        try await server.withClient(of: "postgres") { client in
            try await client.execute("CREATE TABLE entries (id bigint PRIMARY KEY, text text NOT NULL)")
            let step: Int64 = 50_000
            for start in stride(from: Int64(0), to: Self.rows, by: Int64.Stride(step)) {
                try await client.execute(
                    """
                    INSERT INTO entries SELECT n, repeat(md5(n::text), 12) || md5(random()::text) || repeat(md5(n::text), 20)
                    FROM generate_series(\(start + 1), \(start + step)) AS n
                    """
                )
            }
        }
    }

    /// Writes rows in transactions of their own, as payments and messages are.
    private func write(_ server: PostgresServer) async throws {
        try await server.withClient(of: "postgres") { client in
            for id in Self.rows + 1...Self.rows + Self.laterRows {
                try await client.execute("INSERT INTO entries VALUES (\(id), 'later')")
            }
        }
    }

    /// Archives what `body` writes, after the backup that begins the archive.
    private func archive(_ archiver: Archiver, _ place: FolderPlace, _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await archiver.run() }
            defer { group.cancelAll() }
            while try await BackupCatalogue(of: place).backups.last?.history == nil {
                try await Task.sleep(for: .milliseconds(100))
            }
            try await body()
            archiver.stop()
            try await group.next()
        }
    }

    private func seconds(_ body: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - start) / .seconds(1)
    }
}
