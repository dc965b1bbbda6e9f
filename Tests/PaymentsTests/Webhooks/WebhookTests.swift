import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct WebhookTests {
    private var world: PaymentsWorld { .current }

    @Test func webhook_settlesOrderWithoutApp() async throws {
        let code = try await world.order()
        let impUID = try await world.pay(code)
        #expect(try await world.notify(impUID) == 200)
        try await eventually("the order is paid") { try await world.state(of: code) == "paid" }
        #expect(try await world.validate(impUID).status == .ok)
    }

    @Test func forgedWebhook_changesNothing() async throws {
        let code = try await world.order()
        let impUID = try await world.pay(code, status: "ready")
        // One payment is not paid, and the other does not exist.
        #expect(try await world.notify(impUID, status: "paid") == 200)
        #expect(try await world.notify("imp_123", status: "paid") == 200)
        try await eventually("the webhooks are processed") { try await world.waiting() == 0 }
        let kept = try await world.database.all("SELECT imp_uid FROM notices") { try $0.decode(String.self) }
        #expect(kept == [impUID], "a webhook of an unknown payment is deleted")
        #expect(try await world.state(of: code) == "open")
        // The payment is paid at PortOne although the webhook says that it is cancelled.
        try await world.change(impUID, #"{"status":"paid"}"#)
        #expect(try await world.notify(impUID, status: "cancelled", cancellation: "c1") == 200)
        try await eventually("the order is paid") { try await world.state(of: code) == "paid" }
    }

    /// A forged webhook must not make the real one look like a duplicate.
    @Test func repeatedWebhook_isProcessedAgain() async throws {
        let code = try await world.order()
        let impUID = try await world.pay(code)
        #expect(try await world.validate(impUID).status == .ok)
        #expect(try await world.notify(impUID, status: "cancelled", cancellation: "c1") == 200)
        try await eventually("the webhook is processed") { try await world.waiting() == 0 }
        try await world.change(impUID, #"{"status":"cancelled"}"#)
        #expect(try await world.notify(impUID, status: "cancelled", cancellation: "c1") == 200)
        try await eventually("the order has ended") { try await world.state(of: code) == "refunded" }
        #expect(try await world.ledger().isEmpty)
        try await eventually("estate receives the event") {
            world.stubs.state.withLock { $0.reservations.last?.state == .released }
        }
        #expect(try await world.validate(impUID).status == .badRequest)
    }

    /// Made-up payments do not delay the webhooks of real ones, and only a limited number of them waits.
    @Test func floodOfUnknownPayments_isBoundedAndServedLast() async throws {
        let impUID = try await world.pay(world.order())
        #expect(try await world.validate(impUID).status == .ok)
        let (database, store, now) = (world.database, WebhookStore(), Date.now - 60)
        try await world.fail()
        for number in 0..<12 {
            let forged = try Webhook(impUID: "forged_\(number)", merchantUID: "x", status: "paid", cancellation: nil)
            let isKnown = try await store.save(forged, at: now, unknownLimit: 10, in: database)
            #expect(!isKnown, "a made-up payment wakes no round")
        }
        let known = try Webhook(impUID: impUID, merchantUID: "x", status: "paid", cancellation: "c1")
        // Due in an hour, so that the service's own job does not take it.
        let later = Date.now + 3600
        #expect(try await store.save(known, at: later, unknownLimit: 10, in: database))
        #expect(try await world.waiting() == 11)
        let first = try await store.takeDue(known: true, at: later + 1, limit: 16, until: later + 9, in: database)
        #expect(first.map(\.impUID.rawValue) == [impUID])
    }

    /// However many webhooks name a payment, it is one row and one request to PortOne.
    @Test func webhooksOfOnePayment_areOneRow() async throws {
        let (database, store) = (world.database, WebhookStore())
        try await world.fail()
        for number in 0..<5 {
            let notice = try Webhook(
                impUID: "imp_9",
                merchantUID: "x",
                status: "s\(number)",
                cancellation: "c\(number)"
            )
            try await store.save(notice, at: .now, unknownLimit: 10, in: database)
        }
        #expect(try await world.waiting() == 1)
    }

    @Test func webhook_duringPortOneOutage_isRetried() async throws {
        let code = try await world.order()
        let impUID = try await world.pay(code)
        try await world.fail(count: 2)
        #expect(try await world.notify(impUID) == 200)
        try await eventually("the order is paid") { try await world.state(of: code) == "paid" }
    }

    @Test func formEncodedWebhook_isAccepted() async throws {
        let code = try await world.order()
        let impUID = try await world.pay(code)
        let form = "imp_uid=\(impUID)&merchant_uid=\(code)&status=paid"
        let phone = ServiceClient(world.client, to: .payments, app: .anlaka)
        let type = "application/x-www-form-urlencoded; charset=utf-8"
        let answer = try await phone.send(.post, "/notices/portone", bytes: Array(form.utf8), type: type)
        #expect(answer.status == .ok)
        try await eventually("the order is paid") { try await world.state(of: code) == "paid" }
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"imp_uid":""}"#, #"{"imp_uid":"../x"}"#, #"{"imp_uid":7}"#,
        #"{"imp_uid":"imp_1","status":"a\u0000b"}"#,
    ])
    func malformedWebhook_isRefused(json: String) async throws {
        let phone = ServiceClient(world.client, to: .payments, app: .anlaka)
        let status = try await phone.send(.post, "/notices/portone", json: json).status
        #expect(status.kind == .clientError)
        let form = Array("imp_uid=%00&status=paid".utf8)
        let type = "application/x-www-form-urlencoded"
        #expect(try await phone.send(.post, "/notices/portone", bytes: form, type: type).status == .badRequest)
        #expect(
            try await phone.send(.post, "/notices/portone", bytes: Array("x".utf8), type: type).status
                == .badRequest
        )
        #expect(try await world.waiting() == 0)
    }
}

extension PaymentsWorld {
    /// The number of unprocessed webhooks.
    func waiting() async throws -> Int {
        try await database.one("SELECT count(*) FROM notices WHERE due_at IS NOT NULL") { try $0.decode(Int.self) }
    }
}
