import Contracts
import Postgres

/// Reservations of listings, according to payments.
struct Reservations: Sendable {
    let database: PostgresClient
    private let store = ReservationStore()

    /// Applies the state of an order, unless a later one is stored: held, paid and released follow each other in this
    /// order only. Ignores deleted listings.
    func apply(_ event: PaymentsEvents.ReservationChanged, in transaction: PostgresTransaction) async throws {
        switch event.state {
        case .held(let until): try await store.hold(event, until: until, in: transaction)
        case .paid: try await store.pay(event, in: transaction)
        case .released: try await store.release(event, in: transaction)
        }
    }

    /// Deletes reservations that are of no use any more.
    func prune() async throws {
        try await store.deleteReleased(in: database)
    }
}
