import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct LockedListingTests {
    private var world: PaymentsWorld { .current }

    /// Orders for a listing that is being ordered leave connections for those for others.
    @Test func ordersForOneListing_doNotDelayOthers() async throws {
        let (locked, other) = (world.list(), world.list())
        let code = try await world.order()
        let waiting = try await world.database.transaction { transaction in
            try await transaction.execute(
                """
                INSERT INTO orders (public_id, app, code, account_id, subject, name, amount, listing, state, held_until,
                    created_at, updated_at)
                SELECT 'bbbbbbbbbbbbbbbbbbbbbbbb', app, 'ABCD000001', account_id, \(locked), name, amount, listing, state,
                    held_until, created_at, updated_at
                FROM orders WHERE code = \(code)
                """
            )
            let waiting = (1...12).map { _ in Task { try await world.place(locked, by: 2).status } }
            try await transaction.waitUntilBlocking(world.database.configuration.leasedConnections / 2)
            #expect(try await world.place(other, by: 2).status == .ok)
            return waiting
        }
        for order in waiting { #expect(try await order.value == .conflict) }
    }
}
