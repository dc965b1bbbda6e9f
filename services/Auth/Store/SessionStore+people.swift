import Contracts
import FoundationEssentials
import Postgres

/// Session management by the owner.
extension SessionStore {
    func summaries(of account: AccountID, limit: Int, in database: some Querying) async throws -> [Sessions.Summary] {
        try await database.all(
            """
            SELECT \(Self.summaryColumns) FROM sessions
            WHERE account_id = \(account) AND ended_at IS NULL AND expires_at > now()
            ORDER BY seen_at DESC, id LIMIT \(limit)
            """,
            Self.summary
        )
    }

    /// - Returns: nil when the account has no such active session.
    func rename(
        _ session: String,
        of account: AccountID,
        to name: String?,
        in database: some Querying
    ) async throws -> Sessions.Summary? {
        try await database.optional(
            """
            UPDATE sessions SET name = \(name)
            WHERE id = \(session) AND account_id = \(account) AND ended_at IS NULL AND expires_at > now()
            RETURNING \(Self.summaryColumns)
            """,
            Self.summary
        )
    }

    /// Whether a session belongs to an account; the session may have ended.
    func belongs(_ session: String, to account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.one(
            "SELECT EXISTS (SELECT 1 FROM sessions WHERE id = \(session) AND account_id = \(account))"
        ) { try $0.decode(Bool.self) }
    }

    /// Whether a session was opened or refreshed within a number of seconds.
    func isFresh(_ session: String, within seconds: Int, in database: some Querying) async throws -> Bool {
        try await database.one(
            """
            SELECT EXISTS (SELECT 1 FROM sessions WHERE id = \(session) AND ended_at IS NULL
                AND coalesce(rotated_at, created_at) >= now() - make_interval(secs => \(Double(seconds))))
            """
        ) { try $0.decode(Bool.self) }
    }

    /// Whether an account has a session that a device opened: one with the same push token, or the same address and user
    /// agent.
    func isKnown(_ device: Device, to account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.one(
            """
            SELECT EXISTS (SELECT FROM sessions WHERE account_id = \(account)
                AND (device_token = \(device.pushToken)
                    OR address = \(device.origin.address) AND user_agent = \(device.origin.userAgent)))
            """
        ) { try $0.decode(Bool.self) }
    }

    private static let summaryColumns: SQL = "id, name, user_agent, address, created_at, seen_at"

    private static func summary(_ row: borrowing Row) throws -> Sessions.Summary {
        let (id, name, device, address, createdAt, seenAt) = try row.decode(
            as: (String, String?, String?, String?, Date, Date).self
        )
        return Sessions.Summary(
            id: id,
            name: name,
            device: device,
            address: address,
            createdAt: createdAt,
            seenAt: seenAt
        )
    }
}
