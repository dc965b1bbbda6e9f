import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Payments

/// Refunds that the console requests.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct ConsoleRefundTests {
    private var world: PaymentsWorld { .current }

    private func refund(_ impUID: String, _ amount: Int64?, key: String) async throws -> TestResponse {
        let refund = OperatorsAPI.Refund(amount: amount, reason: "고객 요청", operator: "kim")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try await ServiceClient(world.client, to: .payments, process: .console).send(
            .post,
            OperatorsAPI.Refund.path(of: impUID),
            json: String(decoding: try encoder.encode(refund), as: UTF8.self),
            headers: [try #require(HTTPField.Name("Idempotency-Key")): key]
        )
    }

    private func paid() async throws -> String {
        let impUID = try await world.pay(world.order())
        #expect(try await world.validate(impUID).status == .ok)
        return impUID
    }

    @Test func formThatIsSentTwice_refundsOnce() async throws {
        let impUID = try await paid()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { try await refund(impUID, 30_000, key: "console-1").status.code } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [200, 200, 200, 200])
        try await eventually("the refund is made") { try await world.portOnePayment(impUID).cancelAmount == 30_000 }
        #expect(try await world.portOnePayment(impUID).cancelHistory.map(\.amount) == [30_000])
        #expect(try await refund(impUID, 40_000, key: "console-1").status == .conflict)
        #expect(try await refund(impUID, 30_000, key: "console-2").status == .ok)
        try await eventually("both are made") { try await world.portOnePayment(impUID).cancelAmount == 60_000 }
    }

    @Test func refundOfMoreThanTheRest_isRefusedWithTheMost() async throws {
        let impUID = try await paid()
        #expect(try await refund(impUID, 30_000, key: "console-1").status == .ok)
        let answer = try await refund(impUID, 70_001, key: "console-2")
        #expect(answer.status == .badRequest && answer.text.contains("amount must be from 1 to 70000."))
        #expect(try await refund(impUID, nil, key: "console-2").status == .ok)
        let nothing = try await refund(impUID, nil, key: "console-3")
        #expect(nothing.status == .badRequest && nothing.text.contains("something is left"))
    }
}
