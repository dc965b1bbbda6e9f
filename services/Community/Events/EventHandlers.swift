import Contracts
import Events
import Profiles

/// Handlers of other services' events.
struct EventHandlers: Sendable {
    let people: People
    let withdrawal: Withdrawal
    let purchases: Purchases

    /// The apps that use this service.
    static let apps: Set<App> = [.anlaka, .culture, .withsuhyeon]

    init(_ domain: CommunityDomain) {
        people = domain.people
        withdrawal = domain.withdrawal
        purchases = domain.purchases
    }

    var subscriptions: [Subscription] {
        people.subscriptions(of: Self.apps) + [
            Subscription(to: AuthEvents.AccountWithdrawn.self) { event, transaction in
                guard Self.apps.contains(event.app) else { return }
                try await withdrawal.withdraw(event.account, of: event.app, in: transaction)
            },
            Subscription(to: PaymentsEvents.PurchaseChanged.self) { event, transaction in
                try await purchases.note(event, in: transaction)
            },
        ]
    }
}
