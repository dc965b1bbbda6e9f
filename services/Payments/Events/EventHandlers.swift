import Contracts
import Events
import Profiles

/// Handlers of other services' events.
struct EventHandlers: Sendable {
    let people: People
    let withdrawal: Withdrawal

    /// The apps that use this service.
    static let apps: Set<App> = [.anlaka, .culture]

    var subscriptions: [Subscription] {
        people.subscriptions(of: Self.apps) + [
            Subscription(to: AuthEvents.AccountWithdrawn.self) { event, transaction in
                guard Self.apps.contains(event.app) else { return }
                try await withdrawal.withdraw(event.account, of: event.app, in: transaction)
            }
        ]
    }
}
