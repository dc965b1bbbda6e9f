package import Contracts
package import Postgres

/// A service's handler of an event. It runs in the transaction that records the event as received.
package struct Subscription: Sendable {
    let name: String
    /// Decodes the event from its envelope.
    let decode: @Sendable (any Decoder) throws -> any Event
    /// Handles events decoded by `decode`.
    let apply: @Sendable ([any Event], PostgresTransaction) async throws -> Void

    /// Creates a subscription that handles one event at a time.
    package init<E: Event>(
        to event: E.Type,
        _ handle: @escaping @Sendable (E, PostgresTransaction) async throws -> Void
    ) {
        self.init(
            to: event,
            batch: { events, transaction in
                for event in events { try await handle(event, transaction) }
            }
        )
    }

    /// Creates a subscription that handles consecutive events in batches, in order; a batch is never empty.
    package init<E: Event>(
        to event: E.Type,
        batch handle: @escaping @Sendable ([E], PostgresTransaction) async throws -> Void
    ) {
        self.name = E.name
        self.decode = { try Envelope<E>(from: $0).body }
        self.apply = { events, transaction in try await handle(events.compactMap { $0 as? E }, transaction) }
    }

    private struct Envelope<E: Event>: Decodable {
        var body: E
    }
}
