package import Contracts
package import InternalClient
package import Outbox
package import Postgres

extension People {
    /// People of some apps, asked for at auth.
    package init(of apps: Set<App>, database: PostgresClient, auth: InternalClient) {
        self.init(
            database: database,
            ask: { account in
                do {
                    let profile = try await auth.get(AuthAPI.Profile.path(account), as: AuthAPI.Profile.self)
                    return apps.contains(profile.app) ? Person(account, profile) : nil
                } catch InternalCallError.refused(_, status: 404) {
                    return nil
                }
            },
            find: { publicID, app in
                // While auth is away, whoever is not known here is nobody: a list of theirs is empty, and no list fails.
                let path = AuthAPI.Somebody.path(publicID, of: app)
                return try? await auth.get(path, as: AuthAPI.Somebody.self, deadline: .seconds(1)).account
            }
        )
    }

    /// What is to be heard of auth so that the people of some apps are known.
    ///
    /// - Parameter welcome: done for each account that comes into being, in the same transaction.
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
                // With Suhyeon's region is told by the change of the profile that follows; until then auth is asked, which
                // knows all of it.
                guard apps.contains(event.app), event.app != .withsuhyeon, let publicID = event.publicID else { return }
                let person = Person(
                    account: event.account,
                    app: event.app,
                    publicID: publicID,
                    nickname: event.nickname,
                    image: event.image,
                    introduction: event.introduction
                )
                try await introduce(person, in: transaction)
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
                try await introduce(person, in: transaction)
            },
        ]
    }
}

extension Person {
    fileprivate init(_ account: Int64, _ profile: AuthAPI.Profile) {
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
