import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Payments

/// Comparisons in parts that are smaller than what is compared.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct ComparisonPartsTests {
    private var world: PaymentsWorld { .current }
    private var stack: ServiceClient { ServiceClient(world.client, to: .payments, process: .stack) }
    private let day = SeoulTime.date(of: .now).description

    private func send(after cursor: String? = nil, limit: Int = 2, of day: String? = nil) async throws -> TestResponse {
        try await stack.send(.post, OperatorsAPI.Comparison.path(day ?? self.day, after: cursor, limit: limit))
    }

    private func part(after cursor: String? = nil, limit: Int = 2) async throws -> OperatorsAPI.Comparison {
        let answer = try await send(after: cursor, limit: limit)
        #expect(answer.status == .ok)
        return try answer.json(OperatorsAPI.Comparison.self)
    }

    /// All parts of a comparison that has begun.
    private func parts(after first: OperatorsAPI.Comparison) async throws -> [OperatorsAPI.Comparison] {
        var all = [first]
        while let next = all.last?.next, all.count < 50 { all.append(try await part(after: next)) }
        return all
    }

    /// Payments that were validated, and others that were not.
    private func pay(_ count: Int, validating validated: Int) async throws -> [String] {
        var paid: [String] = []
        for number in 0..<count {
            let impUID = try await world.pay(world.order())
            if number < validated { #expect(try await world.validate(impUID).status == .ok) }
            paid.append(impUID)
        }
        return paid
    }

    @Test func parts_findWhatOneComparisonFinds() async throws {
        let paid = try await pay(5, validating: 3)
        let foreign = try await world.pay("another shop's", 500)
        try await world.database.execute("UPDATE payments SET sold = sold - 1 WHERE imp_uid = \(paid[0])")
        let all = try await parts(after: part())
        // Three pages of two at PortOne, and as many of those that are here.
        #expect(all.prefix(3).map(\.payments) == [2, 4, 6] && all.last?.payments == 6)
        #expect(all.count >= 6)
        #expect(all.dropLast().allSatisfy { !$0.isFinished && $0.differences.isEmpty && $0.next != nil })
        let found = try #require(all.last)
        #expect(found.isFinished && found.next == nil)
        func texts(_ differences: [OperatorsAPI.Difference]) -> Set<String> {
            Set(differences.map { "\($0.impUID) \($0.kind) \($0.isMended)" })
        }
        #expect(
            texts(found.differences) == [
                "\(paid[0]) ledger false", "\(paid[3]) unknown_here true", "\(paid[4]) unknown_here true",
                "\(foreign) no_order false",
            ]
        )
        // What was corrected stays so, and the others are found again.
        let whole = try await part(limit: 1_000)
        #expect(whole.isFinished && whole.next == nil && whole.payments == 6)
        #expect(texts(whole.differences) == ["\(paid[0]) ledger false", "\(foreign) no_order false"])
    }

    @Test func paymentThatArrivesInBetween_isNoDifferenceThatRemains() async throws {
        _ = try await pay(3, validating: 3)
        let first = try await part()
        #expect(first.payments == 2)
        let code = try await world.order()
        _ = try await world.pay(code)
        _ = try await pay(1, validating: 1)
        let all = try await parts(after: first)
        #expect(all.last?.isFinished == true && all.last?.payments == 5)
        #expect(all.last?.differences.filter { !$0.isMended } == [])
        #expect(try await world.state(of: code) == "paid")
    }

    @Test func partThatIsRepeated_isCountedOnce() async throws {
        let paid = try await pay(5, validating: 0)
        let first = try await part()
        let cursor = try #require(first.next)
        let second = try await part(after: cursor)
        #expect(try await part(after: cursor) == second)
        let last = try #require(try await parts(after: second).last)
        #expect(last.payments == 5 && Set(last.differences.map(\.impUID)) == Set(paid))
        #expect(last.differences.count == 5)
    }

    @Test func endThatIsRepeated_isTheSame() async throws {
        _ = try await pay(1, validating: 1)
        let all = try await parts(after: part(limit: 1))
        let cursor = try #require(all.dropLast().last?.next)
        #expect(try await part(after: cursor) == all.last)
    }

    @Test(arguments: [
        "1", "x.payments.imp_1", "1.payments", "1.nowhere.imp_1", "1.portone.x", "1.portone.0x2", "1.portone.1x5000",
        "1.portone.-1x2", "99.payments.imp_1", "99.portone.1x2", "1.payments.%00", "9999999999999999999999.payments.a",
    ])
    func unknownCursor_isNotFound(cursor: String) async throws {
        #expect(try await send(after: cursor).status == .notFound)
        _ = try await pay(3, validating: 3)
        let first = try await part()
        #expect(try await send(after: cursor).status == .notFound)
        // It has not disturbed the comparison that goes on.
        #expect(try await parts(after: first).last?.isFinished == true)
    }

    @Test func cursorOfAnotherDay_orOfARunThatWasTaken_isNotFound() async throws {
        _ = try await pay(3, validating: 3)
        let cursor = try #require(try await part().next)
        #expect(try await send(after: cursor, of: "2026-01-01").status == .notFound)
        #expect(try await send().status == .conflict, "it waits for its caller")
        try await world.database.execute("UPDATE comparisons SET leased_until = now() - interval '1 second'")
        let taken = try await part()
        #expect(taken.payments == 3, "it goes on where it was")
        #expect(try await send(after: cursor).status == .notFound)
        #expect(try await parts(after: taken).last?.isFinished == true)
    }

    @Test(arguments: [0, -1, 1_001]) func limitOutOfRange_isRefused(limit: Int) async throws {
        #expect(try await send(limit: limit).status.kind == .clientError)
        #expect(try await stack.send(.get, OperatorsAPI.Comparison.path(day)).status == .notFound)
    }

    @Test func partThatFails_isRepeated() async throws {
        _ = try await pay(3, validating: 3)
        let cursor = try #require(try await part().next)
        try await world.fail()
        #expect(try await send(after: cursor).status == .serviceUnavailable)
        try await world.fail(count: 0)
        let all = try await parts(after: part(after: cursor))
        #expect(all.last?.isFinished == true && all.last?.payments == 3)
    }

    @Test func runOfAnEarlierVersion_goesOn() {
        let position = ReconciliationRun.Position(step: "portone", cursor: "3", page: 1_000)
        #expect(position == .portOne(pages: 3, of: 1_000))
        #expect(ReconciliationRun.Position(step: "portone", cursor: "", page: 7).isFirst)
    }
}
