import Contracts
import Events
import Postgres

/// Handlers of the events of other services.
struct EventHandlers: Sendable {
    let passengers: Passengers
    let withdrawal: Withdrawal
    let outbox: Outbox

    var subscriptions: [Subscription] {
        [
            Subscription(to: AuthEvents.AccountRegistered.self) { event, transaction in
                guard event.app == .seatcatcher else { return }
                try await passengers.save(
                    event.account,
                    nickname: event.nickname,
                    image: event.image,
                    tags: nil,
                    in: transaction
                )
            },
            Subscription(to: AuthEvents.ProfileChanged.self) { event, transaction in
                guard event.app == .seatcatcher else { return }
                try await passengers.save(
                    event.account,
                    nickname: event.nickname,
                    image: event.image,
                    tags: event.tags,
                    in: transaction
                )
            },
            Subscription(to: AuthEvents.AccountWithdrawn.self) { event, transaction in
                guard event.app == .seatcatcher else { return }
                try await withdrawal.withdraw(event.account, in: transaction)
                try outbox.publish(SeatsEvents.AccountErased(account: event.account), in: transaction)
            },
            Subscription(to: AuthEvents.SessionRevoked.self) { event, transaction in
                guard event.app == .seatcatcher else { return }
                try await passengers.revoke(event.session, of: event.account, in: transaction)
            },
        ]
    }
}
