import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing
import Values

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct ReconciliationTests {
    private var world: PaymentsWorld { .current }

    struct Answer: Decodable {
        struct Entry: Decodable, Equatable {
            var impUID: String
            var kind: String
            var ours: String?
            var theirs: String?
            var isMended: Bool
        }

        var day: String
        var isFinished: Bool
        var payments: Int
        var differences: [Entry]
    }

    private static var today: String { SeoulTime.date(of: .now).description }

    private func compare(_ day: String = today) async throws -> Answer {
        let answer = try await ServiceClient(world.client, process: "stack").send(.post, "/internal/comparisons/\(day)")
        #expect(answer.status == .ok)
        return try answer.json(Answer.self)
    }

    @Test func matchingPayments_haveNoDifferences() async throws {
        for _ in 0..<3 {
            let impUID = try await world.pay(world.order())
            #expect(try await world.validate(impUID).status == .ok)
        }
        _ = try await world.pay(world.order(), status: "failed")
        let result = try await compare()
        #expect(result.isFinished && result.payments == 4 && result.differences.isEmpty)
    }

    /// The app never validated the payment, and the webhook was lost.
    @Test func unknownPayment_isSettled() async throws {
        let code = try await world.order()
        let impUID = try await world.pay(code)
        let found = try await compare().differences
        let one = Answer.Entry(impUID: impUID, kind: "unknown_here", ours: nil, theirs: "100000 KRW", isMended: true)
        #expect(found == [one])
        #expect(try await world.state(of: code) == "paid")
        #expect(try await compare().differences.isEmpty)
    }

    @Test func differences_areReportedByKind() async throws {
        var paid: [String] = []
        for _ in 0..<3 {
            let impUID = try await world.pay(world.order())
            #expect(try await world.validate(impUID).status == .ok)
            paid.append(impUID)
        }
        let foreign = try await world.pay("another shop's", 500)
        try await world.change(paid[0], #"{"cancel_amount":30000}"#)
        try await world.change(paid[1], #"{"status":"cancelled"}"#)
        try await world.change(paid[2], #"{"amount":90000}"#)
        let found = try await compare().differences
        func kinds(_ impUID: String) -> [String] { found.filter { $0.impUID == impUID }.map(\.kind) }
        #expect(kinds(paid[0]) == ["cancelled"])
        #expect(kinds(paid[1]) == ["cancelled", "status"])
        #expect(kinds(paid[2]) == ["amount"])
        #expect(kinds(foreign) == ["no_order"])
        #expect(found.filter(\.isMended).allSatisfy { $0.impUID == paid[0] || $0.impUID == paid[1] })
        #expect(found.filter(\.isMended).count == 3)
        // Differences that need an operator are reported again.
        #expect(Set(try await compare().differences.map(\.kind)) == ["amount", "no_order"])
        #expect(try await world.portOnePayment(foreign).cancelAmount == 0)
    }

    @Test func paymentUnknownToPortOne_isReported() async throws {
        let impUID = try await world.pay(world.order())
        var report = try #require(try await world.report(of: impUID))
        report.impUID = "imp_1"
        try await world.settle(report)
        let found = try await compare().differences.map { "\($0.impUID) \($0.kind)" }
        #expect(found.contains("imp_1 unknown_there"))
    }

    /// PortOne reports half a dong, which is no valid amount. The other payments are still reconciled.
    @Test func unreadablePayment_isReported() async throws {
        let code = try await world.order()
        let odd = try await world.pay(code, 0.5, more: #""currency":"VND""#)
        let impUID = try await world.pay(code)
        let found = try await compare().differences
        #expect(found.contains { $0.impUID == odd && $0.kind == "unreadable" && !$0.isMended })
        #expect(found.contains { $0.impUID == impUID && $0.isMended })
        #expect(try await world.validate(odd).status == .serviceUnavailable)
        #expect(try await world.client(1).send(.delete, "/v1/orders/\(code)").status == .conflict)
    }

    @Test func ledgerMismatch_isReported() async throws {
        let impUID = try await world.pay(world.order())
        #expect(try await world.validate(impUID).status == .ok)
        try await world.database.execute("UPDATE payments SET sold = sold - 1 WHERE imp_uid = \(impUID)")
        let found = try await compare().differences
        #expect(found.contains { $0.kind == "ledger" && $0.impUID == impUID && !$0.isMended })
    }

    @Test func reconciliation_readsAllPages() async throws {
        for number in 0..<450 { _ = try await world.pay("order \(number)", 1, status: "failed") }
        let last = try await world.pay("the last", 7)
        let result = try await compare()
        #expect(result.payments == 451 && result.differences.map(\.impUID) == [last])
    }

    @Test func scheduledReconciliation_runsOncePerDay() async throws {
        let comparison = try world.comparison(at: .now)
        let day = SeoulTime.date(of: .now)
        #expect(try await comparison.run(day, isForced: false) != nil)
        #expect(try await comparison.run(day, isForced: false) == nil)
        #expect(try await comparison.run(day, isForced: true) != nil)
        // An interrupted reconciliation is started again after its lease has ended.
        try await world.database.execute("UPDATE comparisons SET finished_at = NULL")
        #expect(try await comparison.run(day, isForced: false) == nil)
        #expect(try await comparison.run(day, isForced: true) == nil, "another run is in progress")
        #expect(try await world.comparison(at: .now + 3700).run(day, isForced: false) != nil)
    }

    @Test func schedule_runsForPreviousDayAtFour() async throws {
        // The service's own schedule does not run for future days.
        let today = CivilDate(dayNumber: SeoulTime.date(of: .now).dayNumber + 30)
        let yesterday = CivilDate(dayNumber: today.dayNumber - 1)
        let early = try world.comparison(at: SeoulTime.instant(today, minute: 239))
        try await early.runIfDue()
        #expect(try await early.result(of: yesterday) == nil)
        try await world.comparison(at: SeoulTime.instant(today, minute: 240)).runIfDue()
        #expect(try await early.result(of: yesterday)?.finishedAt != nil)
    }

    @Test func reconciliation_afterPortOneOutage_succeeds() async throws {
        try await world.fail()
        let answer = try await ServiceClient(world.client, process: "stack").send(
            .post,
            "/internal/comparisons/\(Self.today)"
        )
        #expect(answer.status == .serviceUnavailable)
        try await world.fail(count: 0)
        #expect(try await compare().isFinished)
    }

    @Test func invalidOrUnknownDay_isRefused() async throws {
        let stack = ServiceClient(world.client, process: "stack")
        let answer = try await stack.send(.get, "/internal/comparisons/today")
        #expect(answer.status.kind == .clientError)
        #expect(try await stack.send(.get, "/internal/comparisons/2020-01-01").status == .notFound)
    }
}

extension PaymentsWorld {
    /// A reconciliation whose clock stands at `now`.
    fileprivate func comparison(at now: Date) throws -> Reconciliation {
        Reconciliation(database: database, portOne: portOne, settlement: settlement, refunds: .init(), now: { now })
    }
}
