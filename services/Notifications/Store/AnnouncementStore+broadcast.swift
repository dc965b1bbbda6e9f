import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

extension AnnouncementStore {
    /// Serializes announcements until the transaction ends, so that they become visible in the order of their IDs.
    func lockOrder(in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('announcements ' || current_schema(), 0))"
        )
    }

    /// - Returns: The ID; nil when the source exists.
    func insert(_ draft: AnnouncementDraft, at now: Date, in transaction: PostgresTransaction) async throws
        -> AnnouncementID?
    {
        try await transaction.optional(
            """
            INSERT INTO announcements (app, title, content, author_id, source, sent_at, last_device_id)
            SELECT \(draft.app), \(draft.text.title), \(draft.text.content), \(draft.author), \(draft.source), \(now),
                coalesce(max(id), 0) FROM devices
            ON CONFLICT (source) DO NOTHING RETURNING id
            """
        ) { try $0.decode(AnnouncementID.self) }
    }

    /// The announcement with the draft's source, if its text is the same.
    func same(as draft: AnnouncementDraft, in transaction: PostgresTransaction) async throws -> AnnouncementID? {
        try await transaction.optional(
            """
            SELECT id FROM announcements WHERE source = \(draft.source) AND app = \(draft.app)
                AND title = \(draft.text.title) AND content IS NOT DISTINCT FROM \(draft.text.content)
            """
        ) { try $0.decode(AnnouncementID.self) }
    }

    /// The first announcement with outstanding accounts that no other replica has locked. Locks it until the
    /// transaction ends.
    func takeOngoing(in transaction: PostgresTransaction) async throws -> OngoingAnnouncement? {
        try await transaction.optional(
            """
            SELECT id, app, title, content, last_device_id, pushed_through FROM announcements
            WHERE pushed_through IS NOT NULL ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
            """
        ) { row in
            let (id, app, title, content, last, through) = try row.decode(
                as: (AnnouncementID, App, String, String?, DeviceID, AccountID).self
            )
            return OngoingAnnouncement(
                id: id,
                app: app,
                title: title,
                content: content,
                lastDevice: last,
                pushedThrough: through
            )
        }
    }

    /// The next accounts to notify, by ID: those that had a device at the time of the announcement, and were registered
    /// before it.
    func audience(
        of announcement: OngoingAnnouncement,
        limit: Int,
        in transaction: PostgresTransaction
    ) async throws -> [AccountID] {
        try await transaction.all(
            """
            SELECT DISTINCT account_id FROM devices d
            WHERE app = \(announcement.app) AND account_id > \(announcement.pushedThrough)
                AND id <= \(announcement.lastDevice) AND NOT EXISTS (
                    SELECT FROM announcement_readers r
                    WHERE r.account_id = d.account_id AND r.begins_after >= \(announcement.id))
            ORDER BY account_id LIMIT \(limit)
            """
        ) { try $0.decode(AccountID.self) }
    }

    /// - Parameter account: The last account done; nil when all are done.
    func move(_ id: AnnouncementID, to account: AccountID?, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("UPDATE announcements SET pushed_through = \(account) WHERE id = \(id)")
    }
}
