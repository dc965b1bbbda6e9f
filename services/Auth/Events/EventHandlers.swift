import Contracts
import Events

/// Handlers of the events of other services.
struct EventHandlers: Sendable {
    let steps: WithdrawalSteps

    var subscriptions: [Subscription] {
        [
            Subscription(to: SeatsEvents.AccountErased.self) { event, transaction in
                try await steps.finish(.seats, of: event.account, in: transaction)
            },
            Subscription(to: WorkforceEvents.AccountErased.self) { event, transaction in
                try await steps.finish(.workforce, of: event.account, in: transaction)
            },
            Subscription(to: EstateEvents.AccountErased.self) { event, transaction in
                try await steps.finish(.estate, of: event.account, in: transaction)
            },
            Subscription(to: CommunityEvents.AccountErased.self) { event, transaction in
                try await steps.finish(.community, of: event.account, in: transaction)
            },
            Subscription(to: ChatEvents.AccountErased.self) { event, transaction in
                try await steps.finish(.chat, of: event.account, in: transaction)
            },
            Subscription(to: PaymentsEvents.AccountErased.self) { event, transaction in
                try await steps.finish(.payments, of: event.account, in: transaction)
            },
            Subscription(to: NotificationsEvents.AccountErased.self) { event, transaction in
                try await steps.finish(.notifications, of: event.account, in: transaction)
            },
        ]
    }
}
