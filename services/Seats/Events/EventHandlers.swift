import Contracts
import Outbox
import Postgres

/// What this service does when others announce something.
struct EventHandlers: Sendable {
    let passengers = PassengerStore()
    /// SeatCatcher's client cannot read a passenger without a picture.
    private static let firstImage = "IMAGE_1"

    var subscriptions: [Subscription] {
        [
            Subscription(to: AuthEvents.AccountRegistered.self) { event, transaction in
                guard event.app == .seatcatcher else { return }
                try await passengers.save(
                    account: event.account,
                    nickname: event.nickname,
                    image: event.image ?? Self.firstImage,
                    tags: [],
                    in: transaction
                )
            },
            Subscription(to: AuthEvents.ProfileChanged.self) { event, transaction in
                guard event.app == .seatcatcher else { return }
                try await passengers.save(
                    account: event.account,
                    nickname: event.nickname,
                    image: event.image ?? Self.firstImage,
                    tags: event.tags ?? [],
                    in: transaction
                )
            },
        ]
    }
}
