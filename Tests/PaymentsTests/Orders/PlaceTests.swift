import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct PlaceTests {
    private var world: PaymentsWorld { .current }

    @Test func order_holdsListingAtListingPrice() async throws {
        let listing = world.list(100_000)
        let answer = try await world.place(listing, price: 100_000)
        #expect(answer.status == .ok)
        let order = try answer.json(OrderAnswer.self)
        #expect(order.totalPrice == 100_000 && PublicID(rawValue: order.orderID) != nil)
        #expect(order.orderCode.wholeMatch(of: /[A-Z]{4}[0-9]{6}/) != nil)
        for instant in [order.createdAt, order.updatedAt, order.expiresAt] {
            #expect(instant.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        }
        #expect(try await world.calls().contains("POST /payments/prepare"))
        try await eventually("estate receives the event") { world.stubs.state.withLock { $0.reservations.count == 1 } }
        let event = world.stubs.state.withLock { $0.reservations[0] }
        #expect(event.listing.rawValue == listing && event.account == 1 && event.order == order.orderCode)
        let end = try #require(SeSACInstantText.date(order.expiresAt))
        guard case .held(let until) = event.state else { throw PaymentsWorld.Refused(text: "\(event.state)") }
        #expect(abs(until.timeIntervalSince(end)) < 0.001)
    }

    /// PortOne has registered the amount, so its window accepts no other.
    @Test func order_registersAmountAtPortOne() async throws {
        let code = try await world.order(70_000)
        let calls = try await world.sandbox.execute(uri: "/_control/calls?provider=portone", method: .get) { $0.text }
        #expect(calls.contains(code) && calls.contains("70000"))
    }

    @Test func repeatedOrder_returnsSameOrder() async throws {
        let listing = world.list()
        let first = try await world.place(listing)
        let second = try await world.place(listing, price: 100_000)
        #expect(second.status == .ok && second.body == first.body)
    }

    @Test func orderWithWrongPrice_returns400() async throws {
        let listing = world.list(100_000)
        for price in [Int64(1), 99_999, 0, -100_000] {
            let answer = try await world.place(listing, price: price)
            #expect(answer.status == .badRequest)
        }
        let answer = try await world.place(listing, price: 100_000)
        #expect(answer.status == .ok)
    }

    @Test func unreservableListing_isRefused() async throws {
        #expect(try await world.place(PublicID.random().rawValue).status == .notFound)
        for id in ["", "x", "../../internal", "aaaaaaaaaaaaaaaaaaaaaaa\\u0000", String(repeating: "A", count: 24)] {
            #expect(try await world.place(id).status == .notFound, "\(id)")
        }
        #expect(try await world.place(world.list(0)).status == .badRequest)
        for json in ["", "{}", "[]", #"{"estate_id":7}"#, #"{"estate_id":"a","total_price":"100000"}"#, "\u{0}"] {
            let answer = try await world.client(1).send(.post, "/v1/orders", json: json)
            #expect(answer.status == .badRequest || answer.status == .unprocessableContent, "\(json): \(answer.status)")
        }
    }

    @Test func concurrentOrders_oneAccountHoldsListing() async throws {
        let listing = world.list()
        let statuses = try await withThrowingTaskGroup(of: (AccountID, Int, String).self) { group in
            for account in [1, 2, 9, 1, 2, 9] as [AccountID] {
                group.addTask {
                    let answer = try await world.place(listing, by: account)
                    return (account, answer.status.code, answer.text)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let served = statuses.filter { $0.1 == 200 }
        #expect(Set(served.map(\.0)).count == 1 && Set(served.map(\.2)).count == 1)
        #expect(statuses.allSatisfy { $0.1 == 200 || $0.1 == 409 })
        let live = try await world.database.one("SELECT count(*) FROM orders WHERE state = 'open'") {
            try $0.decode(Int.self)
        }
        #expect(live == 1)
    }

    @Test func expiredOrder_releasesListing() async throws {
        let listing = world.list()
        let code = try await world.place(listing).json(OrderAnswer.self).orderCode
        #expect(try await world.place(listing, by: 2).status == .conflict)
        world.clock.advance(by: 601)
        #expect(try await world.place(listing, by: 2).status == .ok)
        #expect(try await world.state(of: code) == "expired")
    }

    /// An order that failed because of PortOne's outage does not block other accounts.
    @Test func order_duringPortOneOutage_holdsNothing() async throws {
        let listing = world.list()
        try await world.fail()
        #expect(try await world.place(listing).status == .serviceUnavailable)
        try await world.fail(count: 0)
        #expect(try await world.place(listing, by: 2).status == .ok)
        let events = world.stubs.state.withLock(\.reservations)
        #expect(!events.contains { $0.account == 1 })
    }

    @Test func order_duringEstateOutage_returns503() async throws {
        let listing = world.list()
        world.stubs.state.withLock { $0.isEstateAway = true }
        let answer = try await world.place(listing)
        #expect(answer.status == .serviceUnavailable)
    }

    @Test func cancelledOrder_releasesListing() async throws {
        let listing = world.list()
        let code = try await world.place(listing).json(OrderAnswer.self).orderCode
        #expect(try await world.client(2).send(.delete, "/v1/orders/\(code)").status.code == 445)
        #expect(try await world.client(1).send(.delete, "/v1/orders/ABCD000000").status == .notFound)
        for _ in 0..<2 { #expect(try await world.client(1).send(.delete, "/v1/orders/\(code)").status == .ok) }
        #expect(try await world.place(listing, by: 2).status == .ok)
        try await eventually("estate receives the event") {
            world.stubs.state.withLock { $0.reservations.contains { $0.order == code && $0.state == .released } }
        }
    }

    /// The buyer pays in one window and cancels in another.
    @Test func cancellationOfPaidOrder_returns409() async throws {
        let code = try await world.order()
        _ = try await world.pay(code)
        #expect(try await world.client(1).send(.delete, "/v1/orders/\(code)").status == .conflict)
        #expect(try await world.state(of: code) == "paid")
    }

    /// The paid payment is found among 100 failed ones.
    @Test func cancellationAfterManyFailures_findsPayment() async throws {
        let code = try await world.order()
        _ = try await world.pay(code)
        for _ in 0..<100 { _ = try await world.pay(code, status: "failed") }
        #expect(try await world.client(1).send(.delete, "/v1/orders/\(code)").status == .conflict)
        #expect(try await world.state(of: code) == "paid")
    }
}
