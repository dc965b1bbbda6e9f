import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

/// SQL of mailboxes: which devices have pending pushes, since when, and which replica has leased them.
struct MailboxStore: Sendable {
    /// Announces new pushes to the senders of all replicas.
    static let announcement = Announcement(on: "pushes")

    // MARK: Queueing

    /// Locks the mailboxes of accounts until the transaction ends. The order is fixed, to prevent deadlocks.
    func lock(of accounts: [AccountID]) -> Statement<Int> {
        .execute(
            """
            SELECT FROM mailboxes m JOIN devices d ON d.id = m.device_id WHERE d.account_id = ANY(\(accounts))
            ORDER BY m.device_id FOR NO KEY UPDATE OF m
            """
        )
    }

    /// Updates the due times of accounts' mailboxes.
    func arm(of accounts: [AccountID]) -> Statement<Int> {
        .execute(
            """
            UPDATE mailboxes m SET due_at = \(Self.due)
            FROM devices d WHERE d.account_id = ANY(\(accounts)) AND m.device_id = d.id
            """
        )
    }

    /// The due time of the first push in a mailbox, but not before the end of the current lease or pause.
    private static let due: SQL =
        """
        (SELECT greatest(m.held_until, p.due_at) FROM pushes p WHERE p.device_id = m.device_id
            ORDER BY p.due_at, p.id LIMIT 1)
        """

    // MARK: Sending

    /// Leases mailboxes with due pushes until `end`, after which they can be taken again. Recently due ones come first,
    /// newest first, so that a backlog does not delay current pushes; overdue ones follow, oldest first, up to `late`.
    ///
    /// The IDs are passed to the UPDATE as an array: with an unknown LIMIT the planner would estimate a tenth of the
    /// table, and scan all of it.
    ///
    /// - Parameters:
    ///   - limit: Maximum number of mailboxes.
    ///   - late: Maximum number of mailboxes that were due before `lateness`.
    /// - Returns: The devices, and whether each was overdue.
    func take(
        of apps: [App],
        lease: UUID,
        limit: Int,
        late: Int,
        at now: Date,
        lateness: Date,
        until end: Date,
        in database: some Querying
    ) async throws -> [(device: DeviceID, isLate: Bool)] {
        let apps = apps.map(\.rawValue)
        return try await database.all(
            """
            WITH fresh AS MATERIALIZED (
                SELECT b.device_id FROM unnest(\(apps)) AS a(app) CROSS JOIN LATERAL (
                    SELECT device_id, due_at FROM mailboxes WHERE app = a.app AND due_at <= \(now) AND due_at > \(lateness)
                    ORDER BY due_at DESC LIMIT \(limit) FOR NO KEY UPDATE SKIP LOCKED
                ) b ORDER BY b.due_at DESC LIMIT \(limit)
            ), late AS MATERIALIZED (
                SELECT b.device_id FROM unnest(\(apps)) AS a(app) CROSS JOIN LATERAL (
                    SELECT device_id, due_at FROM mailboxes WHERE app = a.app AND due_at <= \(lateness)
                    ORDER BY due_at LIMIT least(\(late), \(limit) - (SELECT count(*) FROM fresh))
                    FOR NO KEY UPDATE SKIP LOCKED
                ) b ORDER BY b.due_at LIMIT least(\(late), \(limit) - (SELECT count(*) FROM fresh))
            )
            UPDATE mailboxes m SET lease = \(lease), held_until = \(end), due_at = \(end)
            WHERE m.device_id = ANY(ARRAY(SELECT device_id FROM fresh UNION ALL SELECT device_id FROM late))
            RETURNING m.device_id, m.device_id = ANY(ARRAY(SELECT device_id FROM late))
            """
        ) { try $0.decode(as: (DeviceID, Bool).self) }
    }

    /// Locks mailboxes until the transaction ends.
    func lock(_ devices: [DeviceID]) -> Statement<Int> {
        .execute("SELECT FROM mailboxes WHERE device_id = ANY(\(devices)) ORDER BY device_id FOR NO KEY UPDATE")
    }

    /// Releases mailboxes, each until its time in `heldUntil`.
    func giveBack(_ devices: [DeviceID], of lease: UUID, heldUntil: [Date]) -> Statement<Int> {
        .execute(
            """
            WITH back AS (
                SELECT m.device_id, b.held_until FROM unnest(\(devices), \(heldUntil)) AS b(device_id, held_until)
                    JOIN mailboxes m USING (device_id) WHERE m.lease = \(lease)
            )
            UPDATE mailboxes m SET lease = NULL, held_until = back.held_until, due_at = (
                SELECT greatest(back.held_until, p.due_at) FROM pushes p WHERE p.device_id = m.device_id
                ORDER BY p.due_at, p.id LIMIT 1)
            FROM back WHERE m.device_id = back.device_id
            """
        )
    }

    /// The next due time after `now` of the apps' mailboxes; nil when there is none.
    func nextDue(of apps: [App], after now: Date, in database: some Querying) async throws -> Date? {
        try await database.one(
            """
            SELECT min(b.due_at) FROM unnest(\(apps.map(\.rawValue))) AS a(app) CROSS JOIN LATERAL (
                SELECT due_at FROM mailboxes WHERE app = a.app AND due_at > \(now) ORDER BY due_at LIMIT 1
            ) b
            """
        ) { try $0.decode(Date?.self) }
    }
}
