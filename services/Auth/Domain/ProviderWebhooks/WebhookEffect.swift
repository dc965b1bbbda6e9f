import Contracts
import Postgres

/// Applies provider webhooks to accounts.
struct WebhookEffect: Sendable {
    let accounts = AccountStore()
    let store = ProviderWebhookStore()
    let links: SocialLinkStore
    let sessions: Sessions
    let withdrawal: Withdrawal
    let audit = AuditLog()

    /// Ends the sessions of a user who ended the link, and withdraws the account of a deleted user. A webhook about a
    /// user without an account has no effect.
    func apply(_ notice: ProviderWebhook, in transaction: PostgresTransaction) async throws {
        let id = "\(notice.provider.rawValue) \(notice.app.rawValue) \(notice.id)"
        guard try await store.insert(id, in: transaction) else { return }
        let identity = SocialIdentity(provider: notice.provider, subject: notice.subject)
        guard let account = try await accounts.account(linkedTo: identity, app: notice.app, in: transaction) else {
            return
        }
        switch notice.kind {
        case .unlinked:
            try await links.forgetToken(of: identity, app: notice.app, in: transaction)
            try await sessions.endAll(of: account.id, app: notice.app, reason: .revoked, in: transaction)
            try audit.record(.unlinked, account: account.id, in: transaction)
        case .deleted:
            try await withdrawal.finalize(account.id, app: notice.app, in: transaction)
        }
    }
}
