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

    private var today: CivilDate { SeoulTime.date(of: .now) }

    private func compare() async throws -> Answer {
        let answer = try await ServiceClient(world.client, to: .payments, process: .stack).send(
            .post,
            "/internal/comparisons/\(today)"
        )
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
        for number in 0..<4 { _ = try await world.pay("order \(number)", 1, status: "failed") }
        let last = try await world.pay("the last", 7)
        let result = try #require(try await world.comparison(portOnePage: 2).run(today, isForced: true))
        #expect(result.payments == 5 && result.differences.map(\.0.impUID) == [last])
        #expect(try await world.pagesRead(of: 2) == 3)
    }

    @Test func ledgerMismatch_onAnyPage_isReported() async throws {
        var paid: [String] = []
        for _ in 0..<5 {
            let impUID = try await world.pay(world.order())
            #expect(try await world.validate(impUID).status == .ok)
            paid.append(impUID)
        }
        try await world.database.execute("UPDATE payments SET sold = sold - 1")
        let result = try #require(try await world.comparison(paymentsPage: 2).run(today, isForced: true))
        #expect(Set(result.differences.filter { $0.0.kind == .ledger }.map(\.0.impUID)) == Set(paid))
    }

    @Test func interruptedReconciliation_isResumedAtItsPage() async throws {
        for number in 0..<5 { _ = try await world.pay("order \(number)", 1, status: "failed") }
        let store = ReconciliationStore()
        let run = try #require(
            try await store.begin(today, at: .now - 600, for: 300, page: 2, isForced: false, in: world.database)
        )
        let page = ReconciliationRun.Page(
            next: .portOne(pages: 1, of: 2),
            seen: ["imp_1", "imp_2"],
            count: 2,
            differences: [(Difference(impUID: "imp_1", kind: .unreadable), false)]
        )
        #expect(try await store.save(page, of: run, until: .now - 300, in: world.database))
        let result = try #require(try await world.comparison(portOnePage: 2).run(today, isForced: false))
        #expect(try await world.pagesRead(of: 2) == 2, "the first page is not read again")
        #expect(result.payments == 5 && result.differences.map(\.0.impUID) == ["imp_1"])
        // The replica that began the run has lost it.
        let late = ReconciliationRun.Page(next: .payments(after: ""), seen: ["imp_3"], count: 1)
        #expect(try await !store.save(late, of: run, until: .now, in: world.database))
        #expect(try await !store.finish(run, [], at: .now, in: world.database))
    }

    @Test func failedReconciliation_pausesLongerEachTime() async throws {
        try await world.fail()
        await #expect(throws: (any Error).self) { try await world.comparison().run(today, isForced: false) }
        #expect(try await world.comparison(at: .now + 50).run(today, isForced: false) == nil)
        await #expect(throws: (any Error).self) {
            try await world.comparison(at: .now + 70).run(today, isForced: false)
        }
        #expect(try await world.comparison(at: .now + 170).run(today, isForced: false) == nil)
        try await world.fail(count: 0)
        #expect(try await world.comparison(at: .now + 200).run(today, isForced: false)?.finishedAt != nil)
    }

    @Test func scheduledReconciliation_runsOncePerDay() async throws {
        let comparison = world.comparison()
        let day = today
        #expect(try await comparison.run(day, isForced: false) != nil)
        #expect(try await comparison.run(day, isForced: false) == nil)
        #expect(try await comparison.run(day, isForced: true) != nil)
        // An interrupted reconciliation is resumed after its lease has ended.
        try await world.database.execute(
            "UPDATE comparisons SET finished_at = NULL, leased_until = now() + interval '5 minutes'"
        )
        #expect(try await comparison.run(day, isForced: false) == nil)
        #expect(try await comparison.run(day, isForced: true) == nil, "another run is in progress")
        #expect(try await world.comparison(at: .now + 310).run(day, isForced: false) != nil)
    }

    @Test func schedule_runsForPreviousDayAtFour() async throws {
        // The service's own schedule does not run for future days.
        let today = CivilDate(dayNumber: SeoulTime.date(of: .now).dayNumber + 30)
        let yesterday = CivilDate(dayNumber: today.dayNumber - 1)
        let early = world.comparison(at: SeoulTime.instant(today, minute: 239))
        try await early.runIfDue()
        #expect(try await early.result(of: yesterday) == nil)
        try await world.comparison(at: SeoulTime.instant(today, minute: 240)).runIfDue()
        #expect(try await early.result(of: yesterday)?.finishedAt != nil)
    }

    @Test func reconciliation_afterPortOneOutage_succeeds() async throws {
        try await world.fail()
        let answer = try await ServiceClient(world.client, to: .payments, process: .stack).send(
            .post,
            "/internal/comparisons/\(today)"
        )
        #expect(answer.status == .serviceUnavailable)
        try await world.fail(count: 0)
        #expect(try await compare().isFinished)
    }

    @Test func invalidOrUnknownDay_isRefused() async throws {
        let stack = ServiceClient(world.client, to: .payments, process: .stack)
        let answer = try await stack.send(.get, "/internal/comparisons/today")
        #expect(answer.status.kind == .clientError)
        #expect(try await stack.send(.get, "/internal/comparisons/2020-01-01").status == .notFound)
    }
}

extension PaymentsWorld {
    /// A reconciliation whose clock stands at `now`.
    fileprivate func comparison(
        at now: Date = .now,
        portOnePage: Int = 1_000,
        paymentsPage: Int = 5_000
    ) -> Reconciliation {
        Reconciliation(
            database: database,
            portOne: portOne,
            settlement: settlement,
            refunds: .init(),
            portOnePage: portOnePage,
            paymentsPage: paymentsPage,
            now: { now }
        )
    }

    /// Number of pages of a size that PortOne was asked for. The service's own reconciliation asks for larger ones.
    fileprivate func pagesRead(of size: Int) async throws -> Int {
        struct Calls: Decodable {
            struct Call: Decodable { var query: String }
            var calls: [Call]
        }
        let answer = try await sandbox.execute(uri: "/_control/calls?provider=portone", method: .get) { $0 }
        return try answer.json(Calls.self).calls.count {
            $0.query.contains("limit=\(size)&") || $0.query.hasSuffix("limit=\(size)")
        }
    }
}
