import FoundationEssentials
import Postgres
import ServiceDatabase
import Values

/// SQL that deletes rows whose use has ended, in batches.
struct RetentionStore: Sendable {
    let database: PostgresClient
    /// Rows, workers and workplaces per transaction. A worker has some thousand rows.
    var batch = 5_000, workers = 10, workplaces = 500

    func deleteInviteCodes(expiredBefore instant: Date) async throws {
        try await database.prune("invite_codes", where: "expires_at < \(instant)", inBatchesOf: batch)
    }

    func deleteFailedLookups(before instant: Date) async throws {
        try await database.prune("failed_lookups", where: "at < \(instant)", inBatchesOf: batch)
    }

    /// Deletes completed tasks of old shifts, and the links of these shifts to routines: a check list is shown complete,
    /// or not at all.
    func deleteCompletions(before instant: Date, ofShiftsBefore day: CivilDate) async throws {
        try await database.prune(inBatchesOf: batch) {
            Self.deletionOfCompletions(before: instant, ofShiftsBefore: day, limit: $0)
        }
    }

    static func deletionOfCompletions(before instant: Date, ofShiftsBefore day: CivilDate, limit: Int) -> SQL {
        """
        WITH old AS (
            DELETE FROM completions WHERE ctid = ANY (ARRAY(
                SELECT c.ctid FROM completions c
                WHERE c.completed_at < \(instant)
                    AND EXISTS (SELECT FROM shifts s WHERE s.id = c.shift_id AND s.date < \(day))
                ORDER BY c.completed_at LIMIT \(limit) FOR UPDATE SKIP LOCKED))
            RETURNING shift_id
        ), links AS (
            DELETE FROM shift_routines WHERE shift_id = ANY (ARRAY(SELECT shift_id FROM old))
        )
        SELECT FROM old
        """
    }

    /// Deletes workers with their wages, shifts and months, if no account can see them: their own is withdrawn, and the
    /// owner has removed them, or deleted the workplace, or withdrawn.
    func deleteUnseenWorkers(partedBefore instant: Date) async throws {
        try await database.prune(inBatchesOf: workers) { Self.deletionOfWorkers(partedBefore: instant, limit: $0) }
    }

    static func deletionOfWorkers(partedBefore instant: Date, limit: Int) -> SQL {
        """
        DELETE FROM workers WHERE id IN (
            SELECT k.id FROM workers k
            JOIN people p ON p.account_id = k.account_id JOIN workplaces w ON w.id = k.workplace_id
            WHERE k.parted_at < \(instant) AND p.withdrawn_at IS NOT NULL
                AND (NOT k.is_listed OR w.deleted_at IS NOT NULL OR w.abandoned_at IS NOT NULL)
            ORDER BY k.parted_at LIMIT \(limit) FOR UPDATE OF k SKIP LOCKED)
        """
    }

    /// Deletes workplaces that were deleted or abandoned and have no workers any more.
    func deleteEmptyWorkplaces(endedBefore instant: Date) async throws {
        try await database.prune(inBatchesOf: workplaces) { Self.deletionOfWorkplaces(endedBefore: instant, limit: $0) }
    }

    static func deletionOfWorkplaces(endedBefore instant: Date, limit: Int) -> SQL {
        """
        DELETE FROM workplaces WHERE id IN (
            SELECT w.id FROM workplaces w
            WHERE least(w.deleted_at, w.abandoned_at) < \(instant)
                AND (w.deleted_at IS NOT NULL OR w.abandoned_at IS NOT NULL) AND NOT w.is_closing
                AND NOT EXISTS (SELECT FROM workers k WHERE k.workplace_id = w.id)
            ORDER BY least(w.deleted_at, w.abandoned_at) LIMIT \(limit) FOR UPDATE SKIP LOCKED)
        """
    }
}
