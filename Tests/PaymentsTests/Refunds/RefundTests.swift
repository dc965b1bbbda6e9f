import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct RefundTests {
    private var world: PaymentsWorld { .current }

    private func paid() async throws -> (code: String, impUID: String) {
        let code = try await world.order()
        let impUID = try await world.pay(code)
        #expect(try await world.validate(impUID).status == .ok)
        return (code, impUID)
    }

    @Test(.service) func partialThenFullRefund_refundsOrder() async throws {
        let (code, impUID) = try await paid()
        #expect(try await world.refund(impUID, 30_000).status == .ok)
        try await eventually("a part is refunded") { try await world.portOnePayment(impUID).cancelAmount == 30_000 }
        try await eventually("the refund is in the ledger") {
            try await world.ledger() == ["clearing": 70_000, "sales": -70_000]
        }
        #expect(try await world.state(of: code) == "paid")
        #expect(try await world.refund(impUID).status == .ok)
        #expect(try await world.state(of: code) == "refunded")
        try await eventually("the payment is refunded in full") {
            try await world.portOnePayment(impUID).status == "cancelled"
        }
        try await eventually("the refund is in the ledger") { try await world.ledger().isEmpty }
        try await eventually("estate receives the event") {
            world.stubs.state.withLock { $0.reservations.last?.state == .released }
        }
    }

    @Test(.service) func refunds_neverExceedPayment() async throws {
        let (_, impUID) = try await paid()
        for amount in [Int64(0), -1, 100_001, .max] {
            #expect(try await world.refund(impUID, amount).status == .badRequest)
        }
        #expect(try await world.refund("imp_1").status == .badRequest)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 { group.addTask { try await world.refund(impUID, 30_000).status.code } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 3)
        try await eventually("the refund is made") { try await world.portOnePayment(impUID).cancelAmount == 90_000 }
        #expect(try await world.portOnePayment(impUID).cancelHistory.map(\.amount) == [30_000, 30_000, 30_000])
        #expect(try await world.refund(impUID).status == .ok)
        #expect(try await world.refund(impUID).status == .badRequest)
    }

    @Test(.service) func refundWithSameKey_isMadeOnce() async throws {
        let (_, impUID) = try await paid()
        let (_, other) = try await paid()
        let first = try await world.refund(impUID, 10_000, key: "r1")
        #expect(first.status == .ok)
        for _ in 0..<2 { #expect(try await world.refund(impUID, 10_000, key: "r1").body == first.body) }
        // The refund keeps its key after the stored answer is pruned.
        try await world.database.execute("DELETE FROM requests")
        #expect(try await world.refund(impUID, 10_000, key: "r1").status == .ok)
        #expect(try await world.refund(other, 10_000, key: "r1").status == .conflict)
        try await eventually("the refund is made") { try await world.portOnePayment(impUID).cancelAmount == 10_000 }
        try await eventually("no refund is pending") { try await world.due() == 0 }
        #expect(try await world.portOnePayment(impUID).cancelAmount == 10_000)
    }

    /// PortOne has made the refund, but its answer was lost.
    @Test(.service) func refundWithLostAnswer_isMadeOnce() async throws {
        let (_, impUID) = try await paid()
        try await world.fail()
        #expect(try await world.refund(impUID, 30_000).status == .ok)
        try await eventually("the refund was attempted") {
            try await world.database.one("SELECT attempts > 0 FROM refunds") { try $0.decode(Bool.self) }
        }
        try await world.change(impUID, #"{"cancel_amount":30000}"#)
        try await world.fail(count: 0)
        try await eventually("no refund is pending") { try await world.due() == 0 }
        #expect(try await world.portOnePayment(impUID).cancelHistory.map(\.amount) == [30_000])
        #expect(try await world.ledger() == ["clearing": 70_000, "sales": -70_000])
    }

    /// An operator cancels more at PortOne's console than the pending refund, before it is made.
    @Test(.service { $0.portOneTimeout = .milliseconds(500) }) func consoleCancellation_countsTowardsDueRefund()
        async throws
    {
        let (code, impUID) = try await paid()
        try await world.fail(count: 3)
        #expect(try await world.refund(impUID, 30_000).status == .ok)
        try await world.change(impUID, #"{"cancel_amount":50000}"#)
        try await eventually("no refund is pending") { try await world.due() == 0 }
        #expect(try await world.portOnePayment(impUID).cancelAmount == 50_000)
        #expect(try await world.ledger() == ["clearing": 50_000, "sales": -50_000])
        #expect(try await world.state(of: code) == "paid")
    }

    @Test(.service) func failedRefund_isRetried() async throws {
        let code = try await world.order()
        let impUID = try await world.pay(code, 1)
        try await world.validateWhileCancelsFail(impUID)
        try await eventually("the payment is refunded") { try await world.portOnePayment(impUID).status == "cancelled" }
        let attempts = try await world.database.one("SELECT attempts FROM refunds") { try $0.decode(Int.self) }
        #expect(attempts > 1)
    }

    @Test(
        .service,
        arguments: [
            "{}", #"{"reason":"","operator":"a"}"#, #"{"reason":"a","operator":""}"#, #"{"reason":"a"}"#,
            #"{"reason":"a\u0000","operator":"a"}"#, #"{"amount":"1","reason":"a","operator":"a"}"#,
        ]
    )
    func malformedRefundRequest_isRefused(json: String) async throws {
        let stack = ServiceClient(world.client, to: .payments, process: .stack)
        let status = try await stack.send(.post, "/internal/payments/imp_1/refunds", json: json).status
        #expect(status.kind == .clientError)
    }
}

extension PaymentsWorld {
    /// Refunds that PortOne has not made yet.
    func due() async throws -> Int {
        try await database.one("SELECT count(*) FROM refunds WHERE done_at IS NULL") { try $0.decode(Int.self) }
    }

    fileprivate func validateWhileCancelsFail(_ impUID: String) async throws {
        #expect(try await validate(impUID).status == .badRequest)
        try await fail(count: 2)
    }
}
