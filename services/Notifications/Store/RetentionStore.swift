import FoundationEssentials
import Postgres
import ServiceDatabase

/// SQL of the deletion of old rows, in batches: no statement runs for long or holds many locks. Replicas may do so at the
/// same time.
struct RetentionStore: Sendable {
    let database: PostgresClient
    var batch = 5_000

    func deletePushes(before instant: Date) async throws { try await delete(from: "pushes", createdBefore: instant) }

    func deleteAlarms(before instant: Date) async throws { try await delete(from: "alarms", createdBefore: instant) }

    /// Deletes conversations last changed before an instant; those without unread messages earlier.
    func deleteConversations(readBefore readInstant: Date, before instant: Date) async throws {
        try await delete(from: "conversations", where: "touched_on < \(readInstant)::date AND unread = 0")
        try await delete(from: "conversations", where: "touched_on < \(instant)::date")
    }

    func deleteDevices(releasedBefore releaseInstant: Date, before instant: Date) async throws {
        try await delete(from: "devices", where: "account_id IS NULL AND since < \(releaseInstant)")
        try await delete(from: "devices", where: "account_id IS NOT NULL AND since < \(instant)")
    }

    func deleteEndedSessions(before instant: Date) async throws {
        try await delete(from: "ended_sessions", where: "ended_at < \(instant)")
    }

    /// Deletes announcements sent before an instant, after their marks.
    func deleteAnnouncements(before instant: Date) async throws {
        let old: SQL = "SELECT id FROM announcements WHERE sent_at < \(instant) AND pushed_through IS NULL"
        try await delete(from: "announcement_marks", where: "announcement_id IN (\(old))")
        // A mark may have been added meanwhile: its announcement goes the next time.
        try await database.execute(
            """
            DELETE FROM announcements a WHERE id IN (\(old))
                AND NOT EXISTS (SELECT FROM announcement_marks m WHERE m.announcement_id = a.id)
            """
        )
    }

    private func delete(from table: String, where condition: SQL) async throws {
        try await database.prune(table, where: condition, inBatchesOf: batch)
    }

    /// Deletes rows that were created before an instant. They have the lowest IDs, so no other index is needed.
    private func delete(from table: String, createdBefore instant: Date) async throws {
        try await database.prune(inBatchesOf: batch) { limit in
            """
            DELETE FROM \(identifier: table) WHERE id IN (
                SELECT id FROM (SELECT id, created_at FROM \(identifier: table) ORDER BY id LIMIT \(limit)) t
                WHERE created_at < \(instant))
            """
        }
    }
}
