import Contracts
import Outbox
import Postgres

/// What this service does when others announce something.
struct EventHandlers: Sendable {
    let passengers = PassengerStore()
    let withdrawal = Withdrawal()

    var subscriptions: [Subscription] {
        [
            Subscription(to: AuthEvents.AccountRegistered.self) { event, transaction in
                guard event.app == .seatcatcher else { return }
                try await passengers.save(
                    account: event.account,
                    nickname: event.nickname,
                    image: event.image ?? PassengerStore.firstImage,
                    tags: [],
                    in: transaction
                )
            },
            Subscription(to: AuthEvents.ProfileChanged.self) { event, transaction in
                guard event.app == .seatcatcher else { return }
                try await passengers.save(
                    account: event.account,
                    nickname: event.nickname,
                    image: event.image ?? PassengerStore.firstImage,
                    tags: event.tags ?? [],
                    in: transaction
                )
            },
            Subscription(to: AuthEvents.AccountWithdrawn.self) { event, transaction in
                guard event.app == .seatcatcher else { return }
                try await withdrawal.withdraw(event.account, in: transaction)
            },
        ]
    }
}
