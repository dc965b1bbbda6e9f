import Contracts
import Events
import FoundationEssentials
import Profiles

/// Handlers of other services' events. The texts of the notifications are in `Texts/`.
struct EventHandlers: Sendable {
    private let domain: NotificationsDomain

    /// The apps that use this service.
    static let apps = Set(App.allCases)

    init(_ domain: NotificationsDomain) {
        self.domain = domain
    }

    var subscriptions: [Subscription] {
        people + phones + happenings
    }

    /// Accounts. Existing announcements are hidden from new ones.
    private var people: [Subscription] {
        domain.people.subscriptions(of: Self.apps) { event, transaction in
            try await domain.announcements.welcome(Reader(app: event.app, account: event.account), in: transaction)
        }
    }

    /// Devices and sessions.
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

    /// Events that lead to notifications.
    private var happenings: [Subscription] {
        [
            Subscription(to: ChatEvents.MessageSent.self, batch: domain.conversations.receive),
            Subscription(to: ChatEvents.MessagesRead.self, batch: domain.conversations.read),
            Subscription(to: ChatEvents.MessageTakenBack.self, batch: domain.conversations.takeBack),
            Subscription(to: ChatEvents.RoomEnded.self, batch: domain.conversations.end),
            Subscription(
                to: SeatsEvents.PassengerAlerted.self,
                batch: { try await domain.alarms.tell($0.map { InAppNotificationDraft($0) }, in: $1) }
            ),
            Subscription(
                to: WorkforceEvents.MemberAlerted.self,
                batch: { try await domain.alarms.tell($0.map { InAppNotificationDraft($0) }, in: $1) }
            ),
            Subscription(
                to: PaymentsEvents.OrderSettled.self,
                batch: { try await domain.alarms.tell($0.map { InAppNotificationDraft($0) }, in: $1) }
            ),
            Subscription(to: AuthEvents.NewDeviceSignedIn.self) { event, transaction in
                try await domain.alarms.tell([InAppNotificationDraft(event)], in: transaction)
            },
            Subscription(to: AuthEvents.SessionUsedElsewhere.self) { event, transaction in
                try await domain.alarms.tell([InAppNotificationDraft(event)], in: transaction)
            },
            Subscription(to: CommunityEvents.CommentWritten.self) { event, transaction in
                let name = try await domain.alarms.nickname(of: event.sender, in: transaction)
                try await domain.alarms.tell([InAppNotificationDraft(event, from: name)], in: transaction)
            },
            Subscription(to: CommunityEvents.Followed.self) { event, transaction in
                let name = try await domain.alarms.nickname(of: event.sender, in: transaction)
                try await domain.alarms.tell([InAppNotificationDraft(event, from: name)], in: transaction)
            },
        ]
    }
}
