import Contracts
import Postgres

/// SQL of social links. The providers' tokens are stored encrypted.
struct SocialLinkStore: Sendable {
    let seal: KeyEncryption

    /// - Throws: a violation of `social_links_pkey` when the identity is already linked.
    func link(_ account: AccountID, to identity: SocialIdentity, app: App, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO social_links (app, provider, subject, account_id, refresh_token)
            VALUES (\(app.rawValue), \(identity.provider.rawValue), \(identity.subject), \(account),
                    \(sealed(identity.refreshToken)))
            """
        )
    }

    /// Stores the provider's newest token, if the identity has one.
    func keepToken(of identity: SocialIdentity, app: App, in database: some Querying) async throws {
        guard let token = try sealed(identity.refreshToken) else { return }
        try await database.execute(
            """
            UPDATE social_links SET refresh_token = \(token)
            WHERE app = \(app.rawValue) AND provider = \(identity.provider.rawValue)
              AND subject = \(identity.subject)
            """
        )
    }

    /// Deletes the provider's token after the provider has revoked it.
    func forgetToken(of identity: SocialIdentity, app: App, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE social_links SET refresh_token = NULL
            WHERE app = \(app.rawValue) AND provider = \(identity.provider.rawValue)
              AND subject = \(identity.subject)
            """
        )
    }

    /// Whether the identity is linked to an account of any app.
    func isLinked(_ identity: SocialIdentity, in database: some Querying) async throws -> Bool {
        try await database.one(
            """
            SELECT EXISTS (SELECT 1 FROM social_links
                           WHERE provider = \(identity.provider.rawValue) AND subject = \(identity.subject))
            """
        ) { try $0.decode(Bool.self) }
    }

    /// Decrypts a provider's token.
    ///
    /// - Throws: an error when it was encrypted under another secret.
    func opened(_ token: [UInt8]?) throws -> String? {
        try token.map { String(decoding: try seal.open($0), as: UTF8.self) }
    }

    private func sealed(_ token: String?) throws -> [UInt8]? {
        try token.map { try seal.close(Array($0.utf8)) }
    }
}
