import Contracts
import Outbox

/// What this service does when others announce something.
struct EventHandlers: Sendable {
    let people: People
    let withdrawal: Withdrawal
    let reservations: Reservations

    var subscriptions: [Subscription] {
        [
            Subscription(to: AuthEvents.AccountRegistered.self) { event, transaction in
                guard event.app == .anlaka, let publicID = event.publicID else { return }
                let person = Person(
                    account: event.account,
                    publicID: publicID,
                    nickname: event.nickname,
                    image: event.image,
                    introduction: event.introduction
                )
                try await people.introduce(person, in: transaction)
            },
            Subscription(to: AuthEvents.ProfileChanged.self) { event, transaction in
                guard event.app == .anlaka, let publicID = event.publicID else { return }
                let person = Person(
                    account: event.account,
                    publicID: publicID,
                    nickname: event.nickname,
                    image: event.image,
                    introduction: event.introduction
                )
                try await people.introduce(person, in: transaction)
            },
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
