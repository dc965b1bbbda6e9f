import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

/// SQL of reservations. A released one is kept with `held_until` `-infinity` for a while, so that late events of its order
/// do not reserve the listing again.
struct ReservationStore: Sendable {
    /// Deletes reservations that were not paid for or are released, 90 days after their creation: an order is held for
    /// minutes, and a refund is the last event of a paid one.
    func deleteReleased(in database: PostgresClient) async throws {
        try await database.prune("reservations", where: Self.isReleased)
    }

    static let isReleased: SQL = "held_until < now() AND created_at < now() - interval '90 days'"

    func hold(
        _ event: PaymentsEvents.ReservationChanged,
        until end: Date,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            """
            INSERT INTO reservations (order_code, listing_id, account_id, held_until)
            SELECT \(event.order), id, \(event.account), \(end) FROM listings WHERE public_id = \(event.listing)
            FOR KEY SHARE
            ON CONFLICT (order_code) DO UPDATE SET held_until = excluded.held_until
            WHERE reservations.held_until > '-infinity'
            """
        )
    }

    func pay(_ event: PaymentsEvents.ReservationChanged, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO reservations (order_code, listing_id, account_id, held_until)
            SELECT \(event.order), id, \(event.account), NULL FROM listings WHERE public_id = \(event.listing)
            FOR KEY SHARE
            ON CONFLICT (order_code) DO UPDATE SET held_until = NULL WHERE reservations.held_until > '-infinity'
            """
        )
    }

    func release(_ event: PaymentsEvents.ReservationChanged, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO reservations (order_code, listing_id, account_id, held_until)
            SELECT \(event.order), id, \(event.account), '-infinity' FROM listings WHERE public_id = \(event.listing)
            FOR KEY SHARE
            ON CONFLICT (order_code) DO UPDATE SET held_until = excluded.held_until
            """
        )
    }
}
