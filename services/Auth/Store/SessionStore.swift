import Contracts
import FoundationEssentials
import Postgres

/// All SQL of sessions.
struct SessionStore: Sendable {
    /// - Throws: `AccountError.accountGone` when the session's owner has left.
    func insert(_ session: Session, device: Device, in database: some Querying) async throws {
        let signedIn = try await database.execute(
            "UPDATE accounts SET signed_in_at = now() WHERE id = \(session.account) AND withdrawn_at IS NULL"
        )
        guard signedIn == 1 else { throw AccountError.accountGone }
        try await database.execute(
            """
            INSERT INTO sessions (id, account_id, app, expires_at, device_token, address, user_agent)
            VALUES (\(session.id), \(session.account), \(session.app.rawValue), \(session.family.expiresAt),
                    \(device.pushToken), \(device.address), \(device.userAgent))
            """
        )
    }

    /// The session, its row locked until the transaction ends.
    func session(id: String, lockedIn transaction: PostgresTransaction) async throws -> Session? {
        try await transaction.optional(
            """
            SELECT id, account_id, app, generation, expires_at, rotated_at, ended_at
            FROM sessions WHERE id = \(id) FOR UPDATE
            """
        ) { row in
            let (id, account, app, generation, expiresAt, rotatedAt, endedAt) = try row.decode(
                as: (String, Int64, App, Int, Date, Date?, Date?).self
            )
            let family = RefreshFamily(
                generation: generation,
                expiresAt: expiresAt,
                rotatedAt: rotatedAt,
                endedAt: endedAt
            )
            return Session(id: id, account: account, app: app, family: family)
        }
    }

    /// The sealed tokens of the current generation.
    func successor(of id: String, in database: some Querying) async throws -> [UInt8]? {
        try await database.one("SELECT successor FROM sessions WHERE id = \(id)") { try $0.decode([UInt8]?.self) }
    }

    func rotate(
        _ session: Session,
        at now: Date,
        successor: [UInt8],
        device: Device,
        in database: some Querying
    ) async throws {
        try await database.execute(
            """
            UPDATE sessions SET generation = \(session.family.generation), rotated_at = \(now), successor = \(successor),
                address = coalesce(\(device.address), address), user_agent = coalesce(\(device.userAgent), user_agent)
            WHERE id = \(session.id)
            """
        )
    }

    /// - Returns: whether it was going on until now.
    func end(_ id: String, reason: Session.EndReason, in database: some Querying) async throws -> Bool {
        let ended = try await database.execute(
            """
            UPDATE sessions SET ended_at = now(), end_reason = \(reason.rawValue), successor = NULL
            WHERE id = \(id) AND ended_at IS NULL
            """
        )
        return ended == 1
    }

    /// Ends all sessions of an account.
    ///
    /// - Returns: the ids of those that were going on until now.
    func endAll(of account: Int64, reason: Session.EndReason, in database: some Querying) async throws -> [String] {
        try await database.all(
            """
            UPDATE sessions SET ended_at = now(), end_reason = \(reason.rawValue), successor = NULL
            WHERE account_id = \(account) AND ended_at IS NULL RETURNING id
            """
        ) { try $0.decode(String.self) }
    }

    /// Forgets on which devices, and from where, somebody was signed in.
    func forgetDevices(of account: Int64, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE sessions SET device_token = NULL, address = NULL, user_agent = NULL
            WHERE account_id = \(account)
            """
        )
    }

    func isAlive(_ id: String, in database: some Querying) async throws -> Bool {
        try await database.one(
            "SELECT EXISTS (SELECT 1 FROM sessions WHERE id = \(id) AND ended_at IS NULL AND expires_at > now())"
        ) { try $0.decode(Bool.self) }
    }
}
