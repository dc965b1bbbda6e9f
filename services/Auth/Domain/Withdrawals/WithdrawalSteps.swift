import Contracts
import Events
import Logging
import Postgres

/// The steps after an account is anonymized: providers end their link with it, and services erase its data.
struct WithdrawalSteps: Sendable {
    let database: PostgresClient
    let store = WithdrawalStore()
    let links: SocialLinkStore
    let unlinker: Unlinker
    let outbox: Outbox
    let logger: Logger

    /// Performs the next due step; a failed one is retried later.
    ///
    /// - Returns: whether there was one.
    func takeNext() async throws -> Bool {
        guard let step = try await store.takeNext(in: database) else { return false }
        do {
            if let provider = SocialIdentity.Provider(rawValue: step.holder) {
                try await unlink(provider, step)
                try await database.transaction { transaction in
                    try await store.finish(step.holder, of: step.account, in: transaction)
                }
            } else {
                try await announceAgain(step)
            }
        } catch {
            logger.warning(
                "withdrawal: step failed, will retry",
                error: error,
                metadata: [
                    "account": "\(step.account)", "holder": "\(step.holder)",
                    "attempts": .stringConvertible(step.attempts),
                ]
            )
        }
        return true
    }

    /// Two of our apps share a user's Kakao id only if they are the same app at Kakao; the link is then kept while the
    /// user has an account in one of them.
    private func unlink(_ provider: SocialIdentity.Provider, _ step: WithdrawalStore.Step) async throws {
        let identity = SocialIdentity(provider: provider, subject: step.subject)
        if provider == .kakao, try await links.isLinked(identity, in: database) { return }
        let token = try links.opened(step.token)
        try await unlinker.unlink(provider, app: step.app, subject: step.subject, token: token)
    }

    /// Records that a service has erased the account.
    func finish(_ service: ServiceName, of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await store.finish(service.rawValue, of: account, in: transaction)
    }

    /// Publishes `AccountWithdrawn` again to a service that has not confirmed; its handler is idempotent.
    private func announceAgain(_ step: WithdrawalStore.Step) async throws {
        try await database.transaction { transaction in
            let event = AuthEvents.AccountWithdrawn(account: step.account, app: step.app)
            try outbox.publish(event, in: transaction)
        }
    }
}
