import Contracts
import Outbox
import Postgres

/// SeatCatcher's profile: name, picture, tags, and whether the introduction has been seen.
struct Profiles: Sendable {
    /// A profile as its owner sees it.
    struct Profile: Sendable, Equatable {
        var account: Account
        /// In the order of their names.
        var tags: [String]
    }

    let database: PostgresClient
    let store = AccountStore()
    let audit = AuditLog()
    let outbox: Outbox

    /// - Throws: `AccountError.accountGone`.
    func profile(of account: Int64) async throws -> Profile {
        guard let profile = try await store.profile(account: account, in: database) else {
            throw AccountError.accountGone
        }
        return profile
    }

    /// Changes what the change names, and tells the others if they can see it.
    ///
    /// - Throws: `AccountError.accountGone`.
    func update(_ account: Int64, _ change: SeatCatcherProfile.Change) async throws -> Profile {
        try await database.transaction { transaction in
            try await store.apply(change, to: account, in: transaction)
            guard let profile = try await store.profile(account: account, in: transaction) else {
                throw AccountError.accountGone
            }
            try await audit.record(.profileChanged, account: account, in: transaction)
            if change.isVisible {
                let event = AuthEvents.ProfileChanged(
                    account: account,
                    app: profile.account.app,
                    nickname: profile.account.nickname,
                    image: profile.account.image,
                    tags: profile.tags
                )
                try await outbox.publish(event, in: transaction)
            }
            return profile
        }
    }
}
