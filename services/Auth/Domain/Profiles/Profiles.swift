import Contracts
import Events
import Files
import Postgres

/// Profiles as read and changed by their owners: SeatCatcher's name, picture and tags here, free texts and uploaded
/// pictures in `Profiles+edit.swift`.
struct Profiles: Sendable {
    /// A profile with the fields that only its owner sees.
    struct Profile: Sendable, Equatable {
        var account: Account
        /// Sorted by name.
        var tags: [String]
        /// Only in Seoul Culture.
        var birthDay: String?
    }

    let database: PostgresClient
    let store = AccountStore()
    let uploads = UploadStore()
    let audit = AuditLog()
    let outbox: Outbox
    let imageRules: @Sendable (App) -> UploadRules?

    /// - Throws: `AccountError.accountGone`.
    func profile(of account: AccountID) async throws -> Profile {
        guard let profile = try await store.profile(account: account, in: database) else {
            throw AccountError.accountGone
        }
        return profile
    }

    /// Applies a change, and publishes `ProfileChanged` if it is visible.
    ///
    /// - Throws: `AccountError.accountGone`.
    func update(_ account: AccountID, _ change: SeatCatcherProfile.Change) async throws -> Profile {
        try await database.transaction(key: "account \(account)") { transaction in
            try await store.apply(change, to: account, in: transaction)
            guard let profile = try await store.profile(account: account, in: transaction) else {
                throw AccountError.accountGone
            }
            try audit.record(.profileChanged, account: account, in: transaction)
            if change.isVisible { try await announce(profile, in: transaction) }
            return profile
        }
    }
}
