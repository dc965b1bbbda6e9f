import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

/// All SQL of mailboxes: which phone has something waiting, since when, and who is at it.
struct MailboxStore: Sendable {
    /// The channel on which whoever sends is told that there is something.
    static let channel = "pushes"

    // MARK: Filling

    /// Lets nobody else change the mailboxes of some people until the transaction ends. Always in the same order, so that
    /// nobody waits for who waits for them.
    func lock(of accounts: [Int64]) -> Statement<Int> {
        .execute(
            """
            SELECT FROM mailboxes m JOIN devices d ON d.id = m.device_id WHERE d.account_id = ANY(\(accounts))
            ORDER BY m.device_id FOR NO KEY UPDATE OF m
            """
        )
    }

    /// Writes down when to look into the mailboxes of some people.
    func arm(of accounts: [Int64]) -> Statement<Int> {
        .execute(
            """
            UPDATE mailboxes m SET due_at = \(Self.due)
            FROM devices d WHERE d.account_id = ANY(\(accounts)) AND m.device_id = d.id
            """
        )
    }

    /// When the first thing in a mailbox is due, and the mailbox may be looked into.
    private static let due: SQL =
        """
        (SELECT greatest(m.held_until, p.due_at) FROM pushes p WHERE p.device_id = m.device_id
            ORDER BY p.due_at, p.id LIMIT 1)
        """

    /// Tells whoever sends, on all copies of the service, once the transaction commits.
    func announce() -> Statement<Int> {
        .execute("SELECT pg_notify(\(Self.channel) || '_' || current_schema(), '')")
    }

    // MARK: Emptying

    /// Takes mailboxes that have something due, and keeps others off them until `end`: whoever dies leaves them to be taken
    /// again. Those that came due lately go first, the latest of them foremost, so that whatever piles up behind does not hold
    /// up what happens now; those that have waited longer follow from the oldest on, as many as are let.
    ///
    /// What is taken is found by its ids, an array: of a limit that it does not know the planner expects a tenth of the table,
    /// and would read all of it.
    ///
    /// - Parameters:
    ///   - limit: how many at most.
    ///   - late: how many of them at most that were due before `lateness`.
    /// - Returns: the phones, and whether each was late.
    func take(
        of apps: [App],
        lease: UUID,
        limit: Int,
        late: Int,
        at now: Date,
        lateness: Date,
        until end: Date,
        in database: some Querying
    ) async throws -> [(device: Int64, isLate: Bool)] {
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
        ) { try $0.decode(as: (Int64, Bool).self) }
    }

    /// Lets nobody else change some mailboxes until the transaction ends.
    func lock(_ devices: [Int64]) -> Statement<Int> {
        .execute("SELECT FROM mailboxes WHERE device_id = ANY(\(devices)) ORDER BY device_id FOR NO KEY UPDATE")
    }

    /// Gives mailboxes back, each not to be looked into before its instant.
    func giveBack(_ devices: [Int64], of lease: UUID, heldUntil: [Date]) -> Statement<Int> {
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

    /// When the next mailbox of some apps comes due that is not due yet; nil when none will.
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
