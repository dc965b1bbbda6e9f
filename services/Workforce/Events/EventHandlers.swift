import Contracts
import Events

/// Handlers of the events of other services.
struct EventHandlers: Sendable {
    let people: People
    let withdrawal: Withdrawal

    var subscriptions: [Subscription] {
        [
            Subscription(to: AuthEvents.AccountRegistered.self) { event, transaction in
                guard event.app == .moup, !event.nickname.isEmpty else { return }
                try await people.save(
                    event.account,
                    nickname: event.nickname,
                    image: event.image,
                    role: nil,
                    in: transaction
                )
            },
            Subscription(to: AuthEvents.ProfileChanged.self) { event, transaction in
                guard event.app == .moup else { return }
                try await people.save(
                    event.account,
                    nickname: event.nickname,
                    image: event.image,
                    role: event.role.flatMap(Person.Role.init),
                    in: transaction
                )
            },
            Subscription(to: AuthEvents.AccountWithdrawn.self) { event, transaction in
                guard event.app == .moup else { return }
                try await withdrawal.withdraw(event.account, in: transaction)
            },
        ]
    }
}
