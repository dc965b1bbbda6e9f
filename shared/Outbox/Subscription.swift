package import Contracts
package import Postgres

/// What a service does when it hears of an event: runs in the transaction that records the event as heard.
package struct Subscription: Sendable {
    let name: String
    /// Reads the event out of its envelope.
    let decode: @Sendable (any Decoder) throws -> any Event
    /// Takes events that were decoded by `decode`.
    let apply: @Sendable ([any Event], PostgresTransaction) async throws -> Void

    /// For one event at a time.
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

    /// For as many as arrive one after the other, in their order; never none.
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
