import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

extension AnnouncementStore {
    /// Lets nobody else send an announcement until the transaction ends: whoever has seen one has seen all before it.
    func lockOrder(in transaction: PostgresTransaction) async throws {
        try await transaction.execute("SELECT pg_advisory_xact_lock(hashtextextended('announcements', 0))")
    }

    /// - Returns: its id; nil when something was sent under its source before.
    func insert(_ draft: AnnouncementDraft, at now: Date, in transaction: PostgresTransaction) async throws -> Int64? {
        try await transaction.optional(
            """
            INSERT INTO announcements (app, title, content, author_id, source, sent_at, last_device_id)
            SELECT \(draft.app), \(draft.text.title), \(draft.text.content), \(draft.author), \(draft.source), \(now),
                coalesce(max(id), 0) FROM devices
            ON CONFLICT (source) DO NOTHING RETURNING id
            """
        ) { try $0.decode(Int64.self) }
    }

    /// The announcement that was sent under the source of a draft, if it says the same.
    func same(as draft: AnnouncementDraft, in transaction: PostgresTransaction) async throws -> Int64? {
        try await transaction.optional(
            """
            SELECT id FROM announcements WHERE source = \(draft.source) AND app = \(draft.app)
                AND title = \(draft.text.title) AND content IS NOT DISTINCT FROM \(draft.text.content)
            """
        ) { try $0.decode(Int64.self) }
    }

    /// The first that is on its way to phones and at which nobody else is, until the transaction ends.
    func takeOngoing(in transaction: PostgresTransaction) async throws -> OngoingAnnouncement? {
        try await transaction.optional(
            """
            SELECT id, app, title, content, last_device_id, pushed_through FROM announcements
            WHERE pushed_through IS NOT NULL ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
            """
        ) { row in
            let (id, app, title, content, last, through) = try row.decode(
                as: (Int64, App, String, String?, Int64, Int64).self
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

    /// The next people who are to be told on their phones, by their ids: who had a phone when it was sent, and was there.
    func audience(
        of announcement: OngoingAnnouncement,
        limit: Int,
        in transaction: PostgresTransaction
    ) async throws -> [Int64] {
        try await transaction.all(
            """
            SELECT DISTINCT account_id FROM devices d
            WHERE app = \(announcement.app) AND account_id > \(announcement.pushedThrough)
                AND id <= \(announcement.lastDevice) AND NOT EXISTS (
                    SELECT FROM announcement_readers r
                    WHERE r.account_id = d.account_id AND r.begins_after >= \(announcement.id))
            ORDER BY account_id LIMIT \(limit)
            """
        ) { try $0.decode(Int64.self) }
    }

    /// - Parameter account: up to whom people have been told; nil when all have.
    func move(_ id: Int64, to account: Int64?, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("UPDATE announcements SET pushed_through = \(account) WHERE id = \(id)")
    }
}
