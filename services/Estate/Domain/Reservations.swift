import Contracts
import Postgres

/// Which listings are taken, as payments tells.
struct Reservations: Sendable {
    let database: PostgresClient
    private let store = ReservationStore()

    init(database: PostgresClient) {
        self.database = database
    }

    /// Keeps what has become of an order, unless more has become of it already: it is held, then paid, then released, and never
    /// goes back. Of a listing that is gone nothing is kept.
    func apply(_ event: PaymentsEvents.ReservationChanged, in transaction: PostgresTransaction) async throws {
        switch event.state {
        case .held(let until): try await store.hold(event, until: until, in: transaction)
        case .paid: try await store.pay(event, in: transaction)
        case .released: try await store.release(event, in: transaction)
        }
    }
}
