import FoundationEssentials
import Postgres
package import StackKit
import Subprocess
import Synchronization
import Values

/// Archives the write-ahead log and the files of a running server: `pg_receivewal` receives the log as it is written.
///
/// Takes a base backup when a history of the log begins, and then each day.
package final class Archiver: Sendable {
    private let source: @Sendable () throws -> BackupSource
    private let place: any BackupPlace
    private let folder: LocalFolder
    private let files: FileArchive
    private let days: Int
    private let report: @Sendable (String) -> Void
    private let isStopping = Mutex(false)
    private let state: Mutex<ArchiveState>

    private static let interval: Duration = .seconds(1)
    private static let backupInterval = 86_400.0
    private static let retry: Duration = .seconds(60)
    /// How long the end of the log is waited for when archiving stops.
    private static let lastWait: Duration = .seconds(5)

    /// - Parameters:
    ///   - source: The server; throws while it does not run.
    ///   - files: `FILES_DIR`.
    ///   - days: For how many days any second can be restored.
    package init(
        source: @escaping @Sendable () throws -> BackupSource,
        place: any BackupPlace,
        folder: LocalFolder,
        files: String,
        keep days: Int,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.source = source
        self.place = place
        self.folder = folder
        self.files = FileArchive(folder: files, place: place)
        self.days = days
        self.report = report
        state = Mutex(ArchiveState(place: place.description))
    }

    /// Archives until `stop` is called, and begins again after each failure.
    package func run() async throws {
        var backoff = Backoff(from: .seconds(1), to: .seconds(10))
        while !isStopping.withLock({ $0 }) {
            do {
                try await archive()
                backoff.reset()
            } catch {
                try Task.checkCancellation()
                report("the archive is interrupted: \(error)")
                try update { $0.problem = "\(error)" }
                try await Task.sleep(for: backoff.next())
            }
        }
    }

    /// Makes `run` return when all of the log is archived, or after five seconds.
    package func stop() {
        isStopping.withLock { $0 = true }
    }

    private func archive() async throws {
        let source = try source()
        try await source.withClient { client in
            try await self.place.claim(for: client.cluster())
            let history = try await LogHistory.open(client)
            try await history.release(client)
            let log = try LogArchive(history: history, place: self.place, spool: "\(self.folder.path)/archive")
            self.report("the write-ahead log is archived in \(self.place.description), history \(history.name)")
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await log.receive(from: source) }
                group.addTask { try await self.backUp(source, history) }
                group.addTask { try await self.follow(client, log) }
                // The first that ends, or fails, ends all.
                try await group.next()
            }
        }
    }

    /// Writes a transaction once a second, so that there is one after every moment that is restored, and records how far
    /// the archive is.
    private func follow(_ client: PostgresClient, _ log: LogArchive) async throws {
        var stopped: ContinuousClock.Instant?
        while true {
            let isLast = isStopping.withLock { $0 }
            if isLast, stopped == nil { stopped = .now }
            let mark = try await client.one(
                "SELECT now(), (pg_current_wal_insert_lsn() - '0/0')::bigint, pg_current_xact_id()::text"
            ) { try $0.decode(Date.self, Int64.self, String.self) }
            try await files.copy()
            let isArchived = try await wait(for: mark.1, client, log)
            try update { state in
                state.problem = isArchived ? nil : "the archive does not keep up with the database"
                if isArchived { state.until = mark.0 }
            }
            if let stopped, isArchived || ContinuousClock.now - stopped > Self.lastWait { return }
            if stopped == nil { try await Task.sleep(for: Self.interval) }
        }
    }

    /// Waits until the log is archived up to a position, but not longer than a minute.
    private func wait(for position: Int64, _ client: PostgresClient, _ log: LogArchive) async throws -> Bool {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < Self.retry {
            let (received, behind) = try await client.one(
                """
                SELECT coalesce(restart_lsn - '0/0', 0)::bigint, coalesce(pg_current_wal_flush_lsn() - restart_lsn, 0)::bigint
                FROM pg_replication_slots WHERE slot_name = \(log.history.slot)
                """
            ) { try $0.decode(Int64.self, Int64.self) }
            try await log.upload(upTo: received)
            try update { $0.behind = Int(max(behind, 0)) }
            if received >= position { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    /// Takes base backups when they are due.
    private func backUp(_ source: BackupSource, _ history: LogHistory) async throws {
        while true {
            let last = try await BackupCatalogue(of: place).backups.last { $0.history == history.name }
            if Date.now.timeIntervalSince(last?.began ?? .distantPast) > Self.backupInterval,
                let lock = try? BackupLock(folder)
            {
                defer { lock.release() }
                let backup = BaseBackup(source: source, place: place, report: report)
                let manifest = try await backup.take(files: files, keep: days)
                report("backup \(manifest.id) is complete")
            }
            try await Task.sleep(for: Self.retry)
        }
    }

    private func update(_ change: (inout ArchiveState) -> Void) throws {
        let state = state.withLock { state in
            change(&state)
            return state
        }
        try state.save(in: folder)
    }
}
