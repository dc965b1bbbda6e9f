package import Contracts
package import Events
package import Postgres
package import ServiceKit

extension People {
    /// Creates the read model for the users of some apps, with the auth service as its source.
    package init(of apps: Set<App>, database: PostgresClient, auth: InternalClient) {
        self.init(
            database: database,
            fetch: { account in
                do {
                    let profile = try await auth.get(AuthAPI.Profile.path(account), as: AuthAPI.Profile.self)
                    return apps.contains(profile.app) ? Person(account, profile) : nil
                } catch InternalCallError.refused(_, status: 404) {
                    return nil
                }
            },
            lookUp: { publicID, app in
                // While auth is unavailable, an unknown user counts as absent: lists of that user are empty instead of
                // failing.
                let path = AuthAPI.AccountLookup.path(publicID, of: app)
                return try? await auth.get(path, as: AuthAPI.AccountLookup.self, deadline: .seconds(1)).account
            }
        )
    }

    /// The subscriptions to auth events that maintain the profiles of some apps.
    ///
    /// - Parameter welcome: Called for each new account, in the same transaction.
    package func subscriptions(
        of apps: Set<App>,
        welcome: @escaping @Sendable (AuthEvents.AccountRegistered, PostgresTransaction) async throws -> Void = {
            _,
            _ in
        }
    ) -> [Subscription] {
        [
            Subscription(to: AuthEvents.AccountRegistered.self) { event, transaction in
                if apps.contains(event.app) { try await welcome(event, transaction) }
                // With Suhyeon's region arrives with the profile change that follows; until then the complete profile
                // is requested from auth.
                guard apps.contains(event.app), event.app != .withsuhyeon, let publicID = event.publicID else { return }
                let person = Person(
                    account: event.account,
                    app: event.app,
                    publicID: publicID,
                    nickname: event.nickname,
                    image: event.image,
                    introduction: event.introduction
                )
                try await save(person, in: transaction)
            },
            Subscription(to: AuthEvents.ProfileChanged.self) { event, transaction in
                guard apps.contains(event.app), let publicID = event.publicID else { return }
                let person = Person(
                    account: event.account,
                    app: event.app,
                    publicID: publicID,
                    nickname: event.nickname,
                    image: event.image,
                    introduction: event.introduction,
                    region: event.region
                )
                try await save(person, in: transaction)
            },
        ]
    }
}

extension Person {
    fileprivate init(_ account: AccountID, _ profile: AuthAPI.Profile) {
        self.init(
            account: account,
            app: profile.app,
            publicID: profile.publicID,
            nickname: profile.nickname,
            image: profile.image,
            introduction: profile.introduction,
            region: profile.region
        )
    }
}
