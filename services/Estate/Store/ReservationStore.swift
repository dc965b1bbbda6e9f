import Contracts
import FoundationEssentials
import Postgres

/// All SQL of reservations.
struct ReservationStore: Sendable {
    func save(
        _ event: PaymentsEvents.ReservationChanged,
        until end: Date?,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            """
            INSERT INTO reservations (order_code, listing_id, account_id, held_until)
            SELECT \(event.order), id, \(event.account), \(end) FROM listings WHERE public_id = \(event.listing)
            ON CONFLICT (order_code) DO UPDATE SET held_until = excluded.held_until
            """
        )
    }

    func delete(_ order: String, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM reservations WHERE order_code = \(order)")
    }
}
