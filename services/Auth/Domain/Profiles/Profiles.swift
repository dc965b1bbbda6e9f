import Contracts
import Outbox
import Postgres
import Uploads

/// Profiles as their owners see and change them: SeatCatcher's name, picture and tags here, texts and pictures of one's own
/// in `Profiles+edit.swift`.
struct Profiles: Sendable {
    /// A profile as its owner sees it.
    struct Profile: Sendable, Equatable {
        var account: Account
        /// In the order of their names.
        var tags: [String]
        /// Seoul Culture's.
        var birthDay: String?
    }

    let database: PostgresClient
    let store = AccountStore()
    let uploads = UploadStore()
    let audit = AuditLog()
    let outbox: Outbox
    let imageRules: @Sendable (App) -> UploadRules?

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
            if change.isVisible { try await announce(profile, in: transaction) }
            return profile
        }
    }
}
