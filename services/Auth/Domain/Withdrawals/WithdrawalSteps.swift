import Contracts
import Logging
import Outbox
import Postgres

/// What is left to do once an account is anonymous: providers end their link with it, services let go of what is theirs.
struct WithdrawalSteps: Sendable {
    let database: PostgresClient
    let store = WithdrawalStore()
    let links: SocialLinkStore
    let unlinker: Unlinker
    let outbox: Outbox
    let logger: Logger

    /// Takes the next step that is due; one that fails comes up again.
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
                "a step of a withdrawal failed",
                error: error,
                metadata: ["account": "\(step.account)", "holder": "\(step.holder)", "attempts": "\(step.attempts)"]
            )
        }
        return true
    }

    /// A person's number at Kakao is the same in two of our apps only if these are one app there; then the link stays for
    /// as long as the person uses one of them.
    private func unlink(_ provider: SocialIdentity.Provider, _ step: WithdrawalStore.Step) async throws {
        let identity = SocialIdentity(provider: provider, subject: step.subject)
        if provider == .kakao, try await links.isLinked(identity, in: database) { return }
        let token = try links.opened(step.token)
        try await unlinker.unlink(provider, app: step.app, subject: step.subject, token: token)
    }

    /// A service has let go.
    func finish(_ service: ServiceName, of account: Int64, in transaction: PostgresTransaction) async throws {
        try await store.finish(service.rawValue, of: account, in: transaction)
    }

    /// A service that has not reported for long is told once more; it does not mind hearing it twice.
    private func announceAgain(_ step: WithdrawalStore.Step) async throws {
        try await database.transaction { transaction in
            let event = AuthEvents.AccountWithdrawn(account: step.account, app: step.app)
            try await outbox.publish(event, in: transaction)
        }
    }
}
