import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct PurchaseTests {
    private var world: PaymentsWorld { .current }

    struct Answer: Decodable, Equatable {
        var buyerID: String
        var postID: String
        var merchantUID: String
        var productName: String
        var price: Int
        var paidAt: String

        enum CodingKeys: String, CodingKey {
            case productName, price, paidAt
            case buyerID = "buyer_id"
            case postID = "post_id"
            case merchantUID = "merchant_uid"
        }

        struct List: Decodable { var data: [Answer] }
    }

    /// The merchant code of the shipped app: its key and a timestamp in seconds.
    private static func code(_ second: Int = 1_700_000_000) -> String { "ios_culture-dev-key_\(second)" }

    private func list(by account: AccountID = 101) async throws -> [Answer] {
        try await world.reader(account).send(.get, "/v1/payments/me").json(Answer.List.self).data
    }

    @Test func validatedPayment_isListedAsPurchase() async throws {
        let post = world.offer(100)
        let impUID = try await world.pay(Self.code(), 100)
        let first = try await world.validate(impUID, for: post)
        #expect(first.status == .ok)
        let answer = try first.json(Answer.self)
        #expect(answer.buyerID == PaymentsWorld.publicID(101) && answer.postID == post && answer.price == 100)
        #expect(answer.productName == "후원하기" && !answer.merchantUID.contains("culture-dev-key"))
        #expect(answer.merchantUID.hasPrefix("ios_") && answer.merchantUID.hasSuffix("0000"))
        for _ in 0..<3 { #expect(try await world.validate(impUID, for: post).body == first.body) }
        #expect(try await list() == [answer])
        #expect(try await list(by: 102).isEmpty)
        try await eventually("community receives the event") {
            world.stubs.state.withLock {
                $0.purchases == [PaymentsEvents.PurchaseChanged(post: "\(post)", account: 101, isPaid: true)]
            }
        }
    }

    @Test func claimedPayment_cannotBeReused() async throws {
        let (post, other) = (world.offer(), world.offer())
        let impUID = try await world.pay(Self.code(), 100)
        #expect(try await world.validate(impUID, for: post).status == .ok)
        #expect(try await world.validate(impUID, for: other).status == .conflict)
        #expect(try await world.validate(impUID, for: post, by: 102).status == .conflict)
        #expect(try await world.portOnePayment(impUID).cancelAmount == 0)
        let flags = try await world.database.one(
            "SELECT count(*) FROM audit WHERE action = 'claimed_by_another' AND imp_uid = \(impUID)"
        ) { try $0.decode(Int.self) }
        #expect(flags == 2)
    }

    @Test func concurrentClaims_oneSucceeds() async throws {
        let posts = [world.offer(), world.offer()]
        let impUID = try await world.pay(Self.code(), 100)
        let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for number in 0..<8 {
                group.addTask {
                    let account: AccountID = number < 4 ? 101 : 102
                    let answer = try await world.validate(impUID, for: posts[number % 2], by: account)
                    return (answer.status.code, answer.text)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.0 == 200 || $0.0 == 409 })
        #expect(Set(answers.filter { $0.0 == 200 }.map(\.1)).count == 1)
        #expect(try await world.ledger() == ["clearing": 100, "sales": -100])
    }

    @Test func wrongAmount_isRefunded() async throws {
        let post = world.offer(100)
        let impUID = try await world.pay(Self.code(), 50)
        #expect(try await world.validate(impUID, for: post).status == .badRequest)
        try await eventually("the payment is refunded") { try await world.portOnePayment(impUID).status == "cancelled" }
        #expect(try await list().isEmpty)
        for status in ["ready", "failed"] {
            let unpaid = try await world.pay(Self.code(1_700_000_001), 100, status: status)
            #expect(try await world.validate(unpaid, for: post).status == .badRequest)
        }
        let right = try await world.pay(Self.code(1_700_000_002), 100)
        #expect(try await world.validate(right, for: post).status == .ok)
    }

    @Test func postNotForSale_isRefused() async throws {
        let impUID = try await world.pay(Self.code(), 100)
        #expect(try await world.validate(impUID, for: PublicID.random().rawValue).status == .gone)
        #expect(try await world.validate(impUID, for: "x").status == .gone)
        #expect(try await world.validate(impUID, for: world.offer(nil)).status == .badRequest)
        #expect(try await world.validate(impUID, for: world.offer(0)).status == .badRequest)
        #expect(try await world.validate("imp_1", for: world.offer()).status == .badRequest)
        #expect(try await world.validate("../x", for: world.offer()).status == .badRequest)
        #expect(try await world.portOnePayment(impUID).cancelAmount == 0)
        #expect(try await world.validate(impUID, for: world.offer()).status == .ok)
    }

    /// An outage of community or PortOne does not lose a payment.
    @Test func validation_duringOutage_canBeRetried() async throws {
        let post = world.offer()
        let impUID = try await world.pay(Self.code(), 100)
        world.stubs.state.withLock { $0.isCommunityAway = true }
        let away = try await world.validate(impUID, for: post)
        #expect(away.status == .serviceUnavailable)
        world.stubs.state.withLock { $0.isCommunityAway = false }
        try await world.fail()
        #expect(try await world.validate(impUID, for: post).status == .serviceUnavailable)
        try await world.fail(count: 0)
        #expect(try await world.validate(impUID, for: post).status == .ok)
    }

    @Test func lateClaim_isRefunded() async throws {
        let post = world.offer()
        let paidAt = Int(Date.now.timeIntervalSince1970) - 1900
        let impUID = try await world.pay(Self.code(), 100, more: #""paid_at":\#(paidAt)"#)
        #expect(try await world.validate(impUID, for: post).status == .badRequest)
        try await eventually("the payment is refunded") { try await world.portOnePayment(impUID).status == "cancelled" }
    }

    @Test func unclaimedPayment_isRefunded() async throws {
        let paidAt = Int(Date.now.timeIntervalSince1970) - 1900
        let ours = try await world.pay(Self.code(), 100, more: #""paid_at":\#(paidAt)"#)
        let others = try await world.pay("order-7 of another shop", 100, more: #""paid_at":\#(paidAt)"#)
        for impUID in [ours, others] { #expect(try await world.notify(impUID) == 200) }
        try await eventually("the payment is refunded") { try await world.portOnePayment(ours).status == "cancelled" }
        #expect(try await world.portOnePayment(others).cancelAmount == 0)
        try await eventually("the payment is in the ledger") {
            try await world.ledger() == ["clearing": 100, "unallocated": -100]
        }
    }

    @Test func partialRefund_reducesPrice() async throws {
        let post = world.offer(100)
        let impUID = try await world.pay(Self.code(), 100)
        #expect(try await world.validate(impUID, for: post).status == .ok)
        try await world.change(impUID, #"{"cancel_amount":30}"#)
        #expect(try await world.notify(impUID, status: "cancelled", cancellation: "a") == 200)
        try await eventually("a part is refunded") { try await list().map(\.price) == [70] }
        try await world.change(impUID, #"{"cancel_amount":70}"#)
        #expect(try await world.notify(impUID, status: "cancelled", cancellation: "b") == 200)
        try await eventually("the purchase is refunded") { try await list().isEmpty }
        try await eventually("community receives the event") {
            world.stubs.state.withLock { $0.purchases.last?.isPaid == false }
        }
    }

    /// An account that has paid twice stays a buyer until both payments are refunded.
    @Test func buyerWithTwoPayments_remainsUntilBothAreRefunded() async throws {
        let post = world.offer(100)
        var paid: [String] = []
        for second in [1_700_000_001, 1_700_000_002] {
            let impUID = try await world.pay(Self.code(second), 100)
            #expect(try await world.validate(impUID, for: post).status == .ok)
            paid.append(impUID)
        }
        #expect(try await list().count == 2)
        #expect(try await world.refund(paid[0]).status == .ok)
        try await eventually("community receives the event") { world.stubs.state.withLock { $0.purchases.count == 3 } }
        #expect(world.stubs.state.withLock(\.purchases).map(\.isPaid) == [true, true, true])
        #expect(try await world.refund(paid[1]).status == .ok)
        try await eventually("community receives the event") {
            world.stubs.state.withLock { $0.purchases.last?.isPaid == false }
        }
    }

    // MARK: Orders before payment

    struct OrderAnswer: Decodable {
        var merchantUID: String
        var price: Int

        enum CodingKeys: String, CodingKey {
            case price
            case merchantUID = "merchant_uid"
        }
    }

    private func order(_ post: String, by account: AccountID = 101) async throws -> TestResponse {
        try await world.reader(account).send(.post, "/v1/payments/prepare", json: #"{"post_id":"\#(post)"}"#)
    }

    @Test func orderedPayment_cannotBeClaimedByOthers() async throws {
        let post = world.offer(100)
        let first = try await order(post)
        #expect(first.status == .ok)
        #expect(try await order(post).body == first.body)
        let code = try first.json(OrderAnswer.self).merchantUID
        let impUID = try await world.pay(code, 100)
        #expect(try await world.validate(impUID, for: post, by: 102).status == .conflict)
        #expect(try await world.validate(impUID, for: world.offer(100)).status == .conflict)
        #expect(try await world.validate(impUID, for: post).status == .ok)
        #expect(try await list().count == 1)
    }

    @Test func webhook_settlesOrderedPurchase() async throws {
        let code = try await order(world.offer(100)).json(OrderAnswer.self).merchantUID
        #expect(try await world.notify(world.pay(code, 100)) == 200)
        try await eventually("the purchase is listed") { try await list().count == 1 }
    }

    /// An order keeps the price at which it was placed; later orders have the new price.
    @Test func priceChange_affectsNewOrdersOnly() async throws {
        let post = world.offer(100)
        let old = try await order(post).json(OrderAnswer.self)
        let early = try await world.pay(old.merchantUID, 100)
        #expect(try await world.validate(early, for: post).status == .ok)
        world.stubs.state.withLock { $0.offers[post]?.price = 200 }
        #expect(try await world.validate(early, for: post).status == .ok)
        let new = try await order(post).json(OrderAnswer.self)
        #expect(new.price == 200 && new.merchantUID != old.merchantUID)
        #expect(try await world.validate(world.pay(new.merchantUID, 200), for: post).status == .ok)
    }

    @Test func unorderablePost_isRefused() async throws {
        #expect(try await order("x").status == .gone)
        #expect(try await order(world.offer(nil)).status == .badRequest)
        let answer = try await world.reader(101).send(.post, "/v1/payments/prepare", json: "{}")
        #expect(answer.status.kind == .clientError)
    }
}
