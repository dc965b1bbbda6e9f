import Contracts
import Events
import Files
import Postgres

extension Profiles {
    /// Applies an edit, and publishes `ProfileChanged` for visible changes. A replaced picture is no longer served.
    ///
    /// - Throws: `AccountError.nicknameTaken`, also for concurrent requests, `.imageNotYours`, `.accountGone`.
    func update(_ account: AccountID, app: App, _ edit: ProfileEdit, origin: Origin? = nil) async throws -> Profile {
        try await database.transaction(key: "account \(account)") { transaction in
            try await store.apply(edit, to: account, in: transaction)
            if let image = edit.image { try await refer(account, app: app, to: image, in: transaction) }
            guard let profile = try await store.profile(account: account, in: transaction) else {
                throw AccountError.accountGone
            }
            try audit.record(.profileChanged, account: account, origin: origin, in: transaction)
            if edit.isVisible { try await announce(profile, in: transaction) }
            return profile
        }
    }

    /// Publishes `ProfileChanged` with the current profile.
    func announce(_ profile: Profile, in transaction: PostgresTransaction) async throws {
        let account = profile.account
        let event = AuthEvents.ProfileChanged(
            account: account.id,
            app: account.app,
            nickname: account.nickname,
            image: account.image,
            tags: account.app == .seatcatcher ? profile.tags : nil,
            publicID: account.publicID,
            introduction: account.introduction
        )
        try outbox.publish(event, in: transaction)
    }

    private func refer(
        _ account: AccountID,
        app: App,
        to image: String,
        in transaction: PostgresTransaction
    ) async throws {
        guard !image.isEmpty else {
            return try await uploads.expireReferred(of: account, except: nil, in: transaction)
        }
        guard let name = imageRules(app)?.name(in: image),
            try await uploads.refer(to: [name], of: account, in: transaction) == [name]
        else { throw AccountError.imageNotYours }
        try await uploads.expireReferred(of: account, except: name, in: transaction)
    }
}
