import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Payments

/// What operators see of orders and of comparisons with PortOne.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct OperatorRoutesTests {
    private var world: PaymentsWorld { .current }
    private var console: ServiceClient { ServiceClient(world.client, to: .payments, process: .console) }

    private func orders(_ query: String = "") async throws -> OperatorsAPI.Orders {
        let answer = try await console.send(.get, "\(OperatorsAPI.Orders.path)\(query)")
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json()
    }

    private func details(_ id: Int64) async throws -> OperatorsAPI.OrderDetails {
        let answer = try await console.send(.get, OperatorsAPI.OrderDetails.path(of: id))
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json()
    }

    @Test func order_isFound_byEachOfItsIDs() async throws {
        let code = try await world.order()
        _ = try await world.order()
        let impUID = try await world.pay(code)
        #expect(try await world.validate(impUID).status == .ok)
        let order = try #require(try await orders("?find=\(code)").orders.first)
        #expect(order.code == code && order.state == "paid" && order.amount == 100_000 && order.account == 1)
        let publicID = try await world.database.one("SELECT public_id FROM orders WHERE code = \(code)") {
            try $0.decode(String.self)
        }
        for text in ["\(order.id)", publicID, impUID] {
            #expect(try await orders("?find=\(text)").orders == [order], "\(text)")
        }
    }

    @Test(arguments: [
        "", "0", "-1", "99999999999999999999", "%00", "%27%3B--", "imp_1", String(repeating: "x", count: 300),
    ])
    func unknownText_findsNone(text: String) async throws {
        _ = try await world.order()
        let found = try await orders("?find=\(text)")
        #expect(found.orders == [] && found.payments == [])
    }

    @Test func paymentWithoutOrder_isFound() async throws {
        let impUID = try await world.pay("FOREIGN000001")
        try await world.settle(try #require(try await world.report(of: impUID)))
        let found = try await orders("?find=\(impUID)")
        #expect(found.orders == [] && found.payments.map(\.impUID) == [impUID])
        #expect(found.payments.first?.verdict == nil && found.payments.first?.paid == 100_000)
    }

    @Test func newestOrders_areFilteredAndBounded() async throws {
        let code = try await world.order()
        let impUID = try await world.pay(code)
        #expect(try await world.validate(impUID).status == .ok)
        let other = try await world.order(by: 2)
        #expect(try await orders().orders.map(\.code) == [other, code])
        #expect(try await orders("?state=paid").orders.map(\.code) == [code])
        #expect(try await orders("?state=open&account=2").orders.map(\.code) == [other])
        #expect(try await orders("?state=paid&account=2").orders == [])
        for query in ["?state=lost", "?account=x"] {
            let answer = try await console.send(.get, "\(OperatorsAPI.Orders.path)\(query)")
            #expect(answer.status == .badRequest)
        }
        try await world.database.execute(
            """
            INSERT INTO orders (public_id, app, code, account_id, subject, name, amount, state, held_until, created_at,
                updated_at)
            SELECT lpad(n::text, 24, '0'), 'culture', 'C' || n, 101, 's' || n, 'N', 100, 'open', now(), now(), now()
            FROM generate_series(1, 60) n
            """
        )
        let all = try await orders().orders
        #expect(all.count == 50 && all.first?.code == "C60")
        #expect(try await orders("?account=101").orders.count == 50)
    }

    @Test func orderDetails_haveAllThatBelongsToIt() async throws {
        let code = try await world.order()
        let failed = try await world.pay(code, status: "failed")
        let impUID = try await world.pay(code)
        #expect(try await world.validate(impUID).status == .ok)
        #expect(try await world.notify(impUID) == 200)
        #expect(try await world.notify(failed) == 200)
        #expect(try await world.refund(impUID, 30_000).status == .ok)
        try await eventually("the refund is made") {
            try await world.ledger() == ["clearing": 70_000, "sales": -70_000]
        }
        try await eventually("the webhooks are processed") {
            try await world.database.one("SELECT count(*) FROM notices WHERE due_at IS NOT NULL") {
                try $0.decode(Int.self)
            } == 0
        }
        let id = try #require(try await orders("?find=\(code)").orders.first).id
        let found = try await details(id)
        #expect(found.order.code == code && found.order.paidAt != nil && found.order.preparedAt != nil)
        #expect(Set(found.payments.map(\.impUID)) == [impUID, failed])
        let payment = try #require(found.payments.first { $0.impUID == impUID })
        #expect(payment.verdict == "confirmed" && payment.sold == 70_000 && payment.cancelled == 30_000)
        let refund = try #require(found.refunds.first)
        #expect(refund.impUID == impUID && refund.order == id && refund.amount == 30_000 && refund.currency == "KRW")
        #expect(refund.reason == "고객 요청" && refund.dueAt == nil && refund.doneAt != nil)
        #expect(found.ledger.reduce(0) { $0 + $1.amount } == 0)
        #expect(found.ledger.map(\.kind).contains("refund_due"))
        #expect(found.audit.contains { $0.actor == "operator/하늘" && $0.action == "refund_due" })
        #expect(Set(found.webhooks.map(\.impUID)) == [impUID, failed])
    }

    @Test(arguments: ["0", "-1", "999999", "x", "99999999999999999999", "%27"])
    func unknownOrder_isNotFound(id: String) async throws {
        #expect(try await console.send(.get, "\(OperatorsAPI.Orders.path)/\(id)").status == .notFound)
    }

    @Test func refundThatPortOneHasNotMade_isPending() async throws {
        let code = try await world.order()
        let impUID = try await world.pay(code)
        #expect(try await world.validate(impUID).status == .ok)
        try await world.fail()
        #expect(try await world.refund(impUID, 10_000).status == .ok)
        func pending() async throws -> [OperatorsAPI.OrderDetails.Refund] {
            try await console.send(.get, OperatorsAPI.Refunds.path).json(OperatorsAPI.Refunds.self).refunds
        }
        try await eventually("PortOne has failed") { try await pending().first?.lastError != nil }
        let refund = try #require(try await pending().first)
        #expect(refund.amount == 10_000 && refund.doneAt == nil && refund.attempts > 0 && refund.order != nil)
        try await world.fail(count: 0)
        try await eventually("the refund is made") { try await pending().isEmpty }
    }

    @Test func comparisons_areListed_remainingDifferencesFirst() async throws {
        let newest = SeoulTime.date(of: .now)
        try await world.database.execute(
            """
            INSERT INTO comparisons (day, started_at, finished_at, payments)
            SELECT \(newest) - n, now(), now(), n FROM generate_series(0, 19) n
            ON CONFLICT (day) DO UPDATE SET finished_at = excluded.finished_at, payments = excluded.payments
            """
        )
        try await world.database.execute(
            """
            INSERT INTO differences (day, imp_uid, kind, ours, theirs, is_mended)
            SELECT \(newest), 'imp_' || n, 'amount', '1 KRW', '<b>2</b> KRW', n < 95 FROM generate_series(1, 100) n
            """
        )
        let answer = try await console.send(.get, OperatorsAPI.Comparisons.path)
        let found = try answer.json(OperatorsAPI.Comparisons.self).comparisons
        let finished = found.count(where: \.isFinished)
        #expect(found.map(\.payments) == Array(0..<14) && finished == 14)
        #expect(found.first?.day == newest.description && found.first?.differences.count == 50)
        let isMended = found.first?.differences.map(\.isMended) ?? []
        #expect(isMended == Array(repeating: false, count: 6) + Array(repeating: true, count: 44))
        #expect(found.dropFirst().flatMap(\.differences) == [])
    }

    @Test func console_comparesADay() async throws {
        let impUID = try await world.pay(world.order())
        let path = OperatorsAPI.Comparison.path(SeoulTime.date(of: .now).description)
        #expect(try await console.send(.get, path).status == .notFound)
        let result = try await console.send(.post, path).json(OperatorsAPI.Comparison.self)
        #expect(result.isFinished && result.payments == 1 && result.differences.map(\.impUID) == [impUID])
        #expect(try await console.send(.get, path).json(OperatorsAPI.Comparison.self) == result)
    }
}
