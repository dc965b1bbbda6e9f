package import Contracts
import FoundationEssentials
package import Postgres

/// What a service does when it hears of an event: runs in the transaction that records the event as heard.
package struct Subscription: Sendable {
    let name: String
    let apply: @Sendable (Data, PostgresTransaction) async throws -> Void

    package init<E: Event>(
        to event: E.Type,
        _ handle: @escaping @Sendable (E, PostgresTransaction) async throws -> Void
    ) {
        self.name = E.name
        self.apply = { data, transaction in
            let envelope = try JSONDecoder().decode(EventEnvelope<E>.self, from: data)
            try await handle(envelope.body, transaction)
        }
    }
}
