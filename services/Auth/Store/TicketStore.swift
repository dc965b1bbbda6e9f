import Contracts
import Postgres

/// SQL of socket tickets.
struct TicketStore: Sendable {
    /// - Returns: false when the session has ended.
    func insert(_ digest: [UInt8], session: String, in database: some Querying) async throws -> Bool {
        try await database.execute(
            """
            INSERT INTO tickets AS t (session_id, digest)
            SELECT id, \(digest) FROM sessions
            WHERE id = \(session) AND app = 'withsuhyeon' AND ended_at IS NULL AND expires_at > now()
            ON CONFLICT (session_id) DO UPDATE SET digest = t.digest
            """
        ) == 1
    }

    func holder(
        of digest: [UInt8],
        in database: some Querying
    ) async throws -> (account: AccountID, session: String)? {
        try await database.optional(
            """
            SELECT s.account_id, s.id FROM tickets t JOIN sessions s ON s.id = t.session_id
            WHERE t.digest = \(digest) AND s.ended_at IS NULL AND s.expires_at > now()
            """
        ) { try $0.decode(AccountID.self, String.self) }
    }
}
