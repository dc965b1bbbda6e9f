import Contracts
import Events
import Profiles

/// Handlers of other services' events.
struct EventHandlers: Sendable {
    let people: People
    let withdrawal: Withdrawal
    let reservations: Reservations

    var subscriptions: [Subscription] {
        people.subscriptions(of: [.anlaka]) + [
            Subscription(to: AuthEvents.AccountWithdrawn.self) { event, transaction in
                guard event.app == .anlaka else { return }
                try await withdrawal.withdraw(event.account, in: transaction)
            },
            Subscription(to: PaymentsEvents.ReservationChanged.self) { event, transaction in
                try await reservations.apply(event, in: transaction)
            },
        ]
    }
}
