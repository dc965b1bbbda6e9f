import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

/// SQL of pending sign-ups. The providers' tokens are stored encrypted.
struct PendingSignUpStore: Sendable {
    let seal: KeyEncryption

    struct Pending: Sendable {
        var identity: SocialIdentity
        /// The account that the sign-up created; nil until it is completed.
        var account: AccountID?
    }

    func insert(_ id: PendingSignUpID, _ identity: SocialIdentity, in database: some Querying) async throws {
        let token = try identity.refreshToken.map { try seal.close(Array($0.utf8)) }
        try await database.execute(
            """
            INSERT INTO pending_sign_ups (id, provider, subject, refresh_token, expires_at)
            VALUES (\(id), \(identity.provider.rawValue), \(identity.subject), \(token), now() + interval '1 hour')
            """
        )
    }

    /// An unexpired sign-up, its row locked until the transaction ends.
    func pending(_ id: PendingSignUpID, lockedIn transaction: PostgresTransaction) async throws -> Pending? {
        let found = try await transaction.optional(
            """
            SELECT provider, subject, refresh_token, account_id FROM pending_sign_ups
            WHERE id = \(id) AND expires_at > now() FOR UPDATE
            """
        ) { try $0.decode(as: (String, String, [UInt8]?, AccountID?).self) }
        guard let (provider, subject, token, account) = found,
            let provider = SocialIdentity.Provider(rawValue: provider)
        else { return nil }
        let opened = try token.map { String(decoding: try seal.open($0), as: UTF8.self) }
        let identity = SocialIdentity(provider: provider, subject: subject, refreshToken: opened)
        return Pending(identity: identity, account: account)
    }

    func finish(_ id: PendingSignUpID, account: AccountID, in database: some Querying) async throws {
        try await database.execute(
            "UPDATE pending_sign_ups SET account_id = \(account), refresh_token = NULL WHERE id = \(id)"
        )
    }

    /// Deletes expired sign-ups.
    static func forgetPast(in database: PostgresClient) async throws {
        try await database.prune("pending_sign_ups", where: "expires_at < now()")
    }
}
