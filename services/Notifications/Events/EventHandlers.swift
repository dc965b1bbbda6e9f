import Contracts
import FoundationEssentials
import Outbox
import People

/// What this service does when others announce something. What people are told of it is in `Texts/`.
struct EventHandlers: Sendable {
    private let domain: NotificationsDomain

    /// The apps that are served.
    static let apps = Set(App.allCases)

    init(_ domain: NotificationsDomain) {
        self.domain = domain
    }

    var subscriptions: [Subscription] {
        domain.people.subscriptions(of: Self.apps) + phones + happenings
    }

    /// Whose phone is where.
    private var phones: [Subscription] {
        [
            Subscription(to: AuthEvents.PushTokenReceived.self) { event, transaction in
                try await domain.devices.receive(event, in: transaction)
            },
            Subscription(to: AuthEvents.SessionRevoked.self) { event, transaction in
                try await domain.devices.end(session: event.session, of: event.account, in: transaction)
            },
            Subscription(to: AuthEvents.AccountWithdrawn.self) { event, transaction in
                try await domain.withdrawal.withdraw(event.account, of: event.app, in: transaction)
            },
        ]
    }

    /// What people are told of.
    private var happenings: [Subscription] {
        [
            Subscription(to: ChatEvents.MessageSent.self) { event, transaction in
                try await domain.conversations.receive([event], in: transaction)
            },
            Subscription(to: ChatEvents.MessagesRead.self) { event, transaction in
                try await domain.conversations.read([event], in: transaction)
            },
        ]
    }
}
