import Contracts
import FoundationEssentials
import Postgres

/// SQL of sessions.
struct SessionStore: Sendable {
    /// - Throws: `AccountError.accountGone` for a withdrawn account.
    func insert(_ session: Session, device: Device, in transaction: PostgresTransaction) async throws {
        let signedIn = try await transaction.execute(
            """
            UPDATE accounts SET signed_in_at = now(), leaving_at = NULL
            WHERE id = \(session.account) AND withdrawn_at IS NULL
            """
        )
        guard signedIn == 1 else { throw AccountError.accountGone }
        let origin = device.origin
        try transaction.enqueue([
            .execute(
                """
                INSERT INTO sessions (id, account_id, app, expires_at, device_token, address, user_agent)
                VALUES (\(session.id), \(session.account), \(session.app.rawValue), \(session.family.expiresAt),
                    \(device.pushToken), \(origin.address), \(origin.userAgent))
                """
            )
        ])
    }

    /// Whether none of the account's earlier sessions used this device; false for the first session.
    func isNewDevice(_ device: Device, of account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.one(
            """
            SELECT count(*) > 0 AND NOT coalesce(bool_or(
                       user_agent IS NOT DISTINCT FROM \(device.origin.userAgent)
                       OR device_token = \(device.pushToken)), false)
            FROM sessions WHERE account_id = \(account)
            """
        ) { try $0.decode(Bool.self) }
    }

    /// The session, its row locked until the transaction ends.
    func session(id: String, lockedIn transaction: PostgresTransaction) async throws -> Session? {
        try await transaction.optional(
            """
            SELECT id, account_id, app, generation, expires_at, rotated_at, used_generation, end_reason,
                holders, forwarders, address, user_agent
            FROM sessions WHERE id = \(id) FOR UPDATE
            """
        ) { row in
            try row.decode { columns in
                var session = Session(
                    id: try columns.next(),
                    account: try columns.next(),
                    app: try columns.next(),
                    family: RefreshFamily(
                        generation: try columns.next(),
                        expiresAt: try columns.next(),
                        rotatedAt: try columns.next(),
                        usedGeneration: try columns.next(),
                        endReason: try columns.next(String?.self).flatMap(Session.EndReason.init)
                    )
                )
                session.family.holders = Set(try columns.next([String].self).map(Origin.init(stored:)))
                session.family.forwarders = Set(try columns.next([String].self).map(Origin.init(stored:)))
                let signIn = Origin(address: try columns.next(), userAgent: try columns.next())
                // Before the first refresh the tokens are held where they were issued.
                if session.family.holders.isEmpty { session.family.holders = [signIn] }
                return session
            }
        }
    }

    /// The encrypted tokens of the current generation; nil before the first refresh.
    func successor(of id: String, in database: some Querying) async throws -> [UInt8]? {
        try await database.one("SELECT successor FROM sessions WHERE id = \(id)") { try $0.decode([UInt8]?.self) }
    }

    /// Stores the tokens of a refresh and their holders.
    func setTokens(sealed: [UInt8], of session: Session, origin: Origin) -> Statement<Int> {
        let family = session.family
        return .execute(
            """
            UPDATE sessions SET generation = \(family.generation), rotated_at = \(family.rotatedAt),
                successor = \(sealed), holders = \(family.holders.map(\.stored)),
                forwarders = \(family.forwarders.map(\.stored)), seen_at = now(),
                address = coalesce(\(origin.address), address), user_agent = coalesce(\(origin.userAgent), user_agent)
            WHERE id = \(session.id)
            """
        )
    }

    /// Stores the origins that obtained the current tokens.
    func setOrigins(of session: Session) -> Statement<Int> {
        .execute(
            """
            UPDATE sessions SET holders = \(session.family.holders.map(\.stored)),
                forwarders = \(session.family.forwarders.map(\.stored))
            WHERE id = \(session.id)
            """
        )
    }

    func noteUses(_ uses: [AuthAPI.Uses.Use], in database: some Querying) async throws {
        // Rows are locked in the order of their ids, so that two gateways cannot deadlock.
        try await database.execute(
            """
            WITH uses AS (
                SELECT session, max(generation) AS generation
                FROM unnest(\(uses.map(\.session)), \(uses.map { Int64($0.generation) })) AS u (session, generation)
                GROUP BY session
            ), locked AS (
                SELECT s.id, u.generation FROM sessions s JOIN uses u ON u.session = s.id
                WHERE s.ended_at IS NULL AND s.used_generation < u.generation AND u.generation <= s.generation
                ORDER BY s.id FOR UPDATE OF s
            )
            UPDATE sessions s SET used_generation = l.generation, seen_at = now() FROM locked l WHERE s.id = l.id
            """
        )
    }

    func isAlive(_ id: String, in database: some Querying) async throws -> Bool {
        try await database.one(
            "SELECT EXISTS (SELECT 1 FROM sessions WHERE id = \(id) AND ended_at IS NULL AND expires_at > now())"
        ) { try $0.decode(Bool.self) }
    }
}

extension Origin {
    /// The address, a space, the `User-Agent`; an address contains no space.
    fileprivate var stored: String { "\(address ?? "") \(userAgent ?? "")" }

    fileprivate init(stored: String) {
        let parts = stored.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        self.init(
            address: parts.first.flatMap { $0.isEmpty ? nil : $0 },
            userAgent: parts.dropFirst().first.flatMap { $0.isEmpty ? nil : $0 }
        )
    }
}
