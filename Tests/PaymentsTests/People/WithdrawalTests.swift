import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct WithdrawalTests {
    private var world: PaymentsWorld { .current }

    @Test func withdrawal_releasesOpenOrdersAndKeepsLedger() async throws {
        let (paid, open) = (try await world.order(), try await world.order())
        let impUID = try await world.pay(paid)
        #expect(try await world.validate(impUID).status == .ok)
        let event = AuthEvents.AccountWithdrawn(account: 1, app: .anlaka)
        for _ in 0..<2 { #expect(try await world.deliver(event, from: .auth) == 204) }
        #expect(try await world.state(of: open) == "expired")
        #expect(try await world.state(of: paid) == "paid")
        #expect(try await world.ledger() == ["clearing": 100_000, "sales": -100_000])
        try await eventually("the other services receive the events") {
            world.stubs.state.withLock { state in
                state.erased.contains(1)
                    && state.reservations.contains { $0.order == open && $0.state == .released }
            }
        }
        // The buyer pays in a window that was opened before the withdrawal.
        let late = try await world.pay(open)
        #expect(try await world.notify(late) == 200)
        try await eventually("the payment is refunded") { try await world.portOnePayment(late).status == "cancelled" }
        #expect(try await world.place(world.list()).status.kind == .clientError)
    }

    @Test func withdrawalFromOtherApp_isIgnored() async throws {
        let open = try await world.order()
        let event = AuthEvents.AccountWithdrawn(account: 1, app: .moup)
        #expect(try await world.deliver(event, from: .auth) == 204)
        #expect(try await world.state(of: open) == "open")
    }
}
