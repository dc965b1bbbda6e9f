import Contracts
import Postgres

/// What a provider's notice leads to.
struct NoticeEffect: Sendable {
    let accounts = AccountStore()
    let store = ProviderNoticeStore()
    let links: SocialLinkStore
    let sessions: Sessions
    let withdrawal: Withdrawal
    let audit = AuditLog()

    /// Signs out whoever ended the link, and lets go of whoever is gone. Of people who have no account here nothing is
    /// kept.
    func apply(_ notice: ProviderNotice, in transaction: PostgresTransaction) async throws {
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
            try await audit.record(.unlinked, account: account.id, in: transaction)
        case .deleted:
            try await withdrawal.finalize(account.id, app: notice.app, in: transaction)
        }
    }
}
