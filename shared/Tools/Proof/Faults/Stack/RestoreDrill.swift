import FoundationEssentials
import PostgresServer
import StackKit

/// A backup of the running installation is restored in another folder, and compared with it.
///
/// The database goes on meanwhile. What is compared are rows that were there before the backup and are still there after the
/// restore: the restored database has all of them.
struct RestoreDrill: Sendable {
    let stack: StackCommand
    let database: @Sendable () throws -> ServerURL
    /// A folder for backups and what is restored, which is removed at the end.
    let scratch: String

    func run() -> FaultAction {
        FaultAction {
            try await drill()
        } end: {
            try await clean()
        }
    }

    private var restored: LocalFolder { LocalFolder(path: "\(scratch)/restored") }

    private func drill() async throws -> String {
        try await clean()
        try? FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        let before = try await RowIDs.read(database())
        try await stack.run(["backup", "--to", "\(scratch)/backups"])
        let other = StackCommand(prefix: stack.prefix, folder: restored, environment: stack.environment)
        try await other.run(["restore", "--from", "\(scratch)/backups"])
        let missing = before.missing(in: try await rows(Array(before.tables.keys)))
        // Those that were deleted meanwhile need not be there.
        let present = try await RowIDs.read(database(), tables: Array(missing.tables.keys))
        let lost = missing.kept(in: present)
        guard lost.count == 0 else { throw StackError("the restored database lacks \(lost.sentence)") }
        return "A backup was restored elsewhere; \(before.count) rows of \(before.tables.count) tables are in it."
    }

    /// The rows of the restored database, whose server runs only meanwhile.
    private func rows(_ tables: [String]) async throws -> RowIDs {
        let server = try PostgresServer(directory: restored.postgres)
        try await server.start(detached: false)
        let rows: Result<RowIDs, any Error>
        do {
            let url = try ServerURL(server.adminURL(database: Database.name))
            rows = .success(try await RowIDs.read(url, tables: tables))
        } catch {
            rows = .failure(error)
        }
        // Also if the drill is cancelled.
        try await Task { try await server.stop(.immediate) }.value
        return try rows.get()
    }

    /// Removes what a drill has made.
    private func clean() async throws {
        let server = try PostgresServer(directory: restored.postgres)
        try await server.stop(.immediate)
        try await server.remove()
        try? FileManager.default.removeItem(atPath: scratch)
    }
}
