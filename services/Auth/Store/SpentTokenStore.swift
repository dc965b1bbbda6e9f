import Contracts
import Postgres
import ServiceDatabase

/// SQL of used identity tokens.
struct SpentTokenStore: Sendable {
    /// Marks a token as used. The same device may use it again for a minute, in case the first response was lost.
    ///
    /// - Throws: `AccountError.socialTokenRefused` when it was already used.
    func spend(_ token: SpentToken, app: App, origin: Origin, in database: some Querying) async throws {
        let spent = try await database.execute(
            """
            INSERT INTO spent_tokens AS s (app, digest, address, user_agent, expires_at)
            VALUES (\(app.rawValue), \(token.digest), \(origin.address), \(origin.userAgent), \(token.expiresAt))
            ON CONFLICT (app, digest) DO UPDATE SET app = s.app
            WHERE s.address IS NOT DISTINCT FROM excluded.address
              AND s.user_agent IS NOT DISTINCT FROM excluded.user_agent
              AND s.spent_at > now() - interval '60 seconds'
            """
        )
        guard spent == 1 else { throw AccountError.socialTokenRefused }
    }

    /// Deletes expired tokens.
    func forgetPast(in database: PostgresClient) async throws {
        try await database.prune("spent_tokens", where: "expires_at < now()")
    }
}
