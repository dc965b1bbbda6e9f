import Contracts
import Events
import Postgres
import Profiles

/// Handlers of other services' events.
struct EventHandlers: Sendable {
    let people: People
    let withdrawal: Withdrawal
    let sessions: Sessions

    /// The apps that use this service.
    static let apps: Set<App> = [.anlaka, .withsuhyeon]

    init(_ domain: ChatDomain) {
        people = domain.people
        withdrawal = domain.withdrawal
        sessions = domain.sessions
    }

    var subscriptions: [Subscription] {
        people.subscriptions(of: Self.apps) + [
            Subscription(to: AuthEvents.SessionRevoked.self) { event, transaction in
                guard Self.apps.contains(event.app) else { return }
                try await sessions.revoke(event.session, in: transaction)
            },
            Subscription(to: AuthEvents.AccountWithdrawn.self) { event, transaction in
                guard Self.apps.contains(event.app) else { return }
                try await withdrawal.withdraw(event.account, of: event.app, in: transaction)
            },
            Subscription(to: CommunityEvents.CompanionPostDeleted.self) { event, transaction in
                try await withdrawal.forget(post: event.post, in: transaction)
            },
        ]
    }
}
