import FoundationEssentials
import HTTPTypes
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1))) struct PortOneWebhooksTests {
    private struct Statuses: Decodable {
        var statuses: [Int?]
    }

    private static func send(_ json: String, _ impUid: String, _ shop: PortOneShop) async throws -> [Int?] {
        let reply = try await shop.sandbox.post("/_control/payments/\(impUid)/webhook", json: json)
        #expect(reply.status == 200)
        return try reply.decode(Statuses.self).statuses
    }

    private static func fields(_ webhook: WebhookReceiver.Webhook) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(webhook.body.utf8))
    }

    @Test(arguments: ["", "{}"])
    func webhook_byDefault_isJSON(order: String) async throws {
        try await WebhookReceiver.run { shop, receiver in
            let impUid = try await shop.pay()
            #expect(receiver.all.isEmpty)
            #expect(try await Self.send(order, impUid, shop) == [200])
            let webhook = try #require(receiver.all.first)
            #expect(webhook.type == "application/json")
            #expect(
                try Self.fields(webhook) == ["imp_uid": impUid, "merchant_uid": "ABCD123456", "status": "paid"]
            )
        }
    }

    @Test func webhook_onDemand_isForm() async throws {
        try await WebhookReceiver.run { shop, receiver in
            let impUid = try await shop.pay("A&B=C")
            #expect(try await Self.send(#"{"form": true, "status": "ready"}"#, impUid, shop) == [200])
            let webhook = try #require(receiver.all.first)
            #expect(webhook.type == "application/x-www-form-urlencoded")
            let fields = Set(webhook.body.split(separator: "&").map(String.init))
            #expect(fields == ["imp_uid=\(impUid)", "merchant_uid=A%26B%3DC", "status=ready"])
        }
    }

    @Test func webhook_isSentOrderedTimes() async throws {
        try await WebhookReceiver.run(answers: [.internalServerError, .notFound]) { shop, receiver in
            let impUid = try await shop.pay()
            let statuses = try await Self.send(#"{"times": 5}"#, impUid, shop)
            #expect(statuses.compactMap(\.self).sorted() == [200, 200, 200, 404, 500])
            #expect(receiver.all.count == 5)
            #expect(Set(receiver.all.map(\.body)).count == 1)
        }
    }

    @Test func webhook_hasLastCancellationID() async throws {
        try await WebhookReceiver.run { shop, receiver in
            let impUid = try await shop.pay()
            for amount in [2000, 10_000] {
                let change = #"{"cancel_amount": \#(amount)}"#
                _ = try await shop.sandbox.post("/_control/payments/\(impUid)", json: change)
            }
            #expect(receiver.all.isEmpty)
            _ = try await Self.send("{}", impUid, shop)
            let fields = try Self.fields(try #require(receiver.all.first))
            #expect(fields["status"] == "cancelled")
            #expect(fields["cancellation_id"] == (try await shop.state(impUid).cancelHistory.last?.cancellationId))
        }
    }

    @Test func webhook_withDelay_isSentLater() async throws {
        try await WebhookReceiver.run { shop, receiver in
            let impUid = try await shop.pay()
            #expect(try await Self.send(#"{"delay_ms": 50, "times": 2}"#, impUid, shop).isEmpty)
            #expect(try await receiver.first(2).count == 2)
        }
    }

    @Test func delayedWebhook_doesNotBlockShutdown() async throws {
        try await WebhookReceiver.run { shop, receiver in
            let impUid = try await shop.pay()
            #expect(try await Self.send(#"{"delay_ms": 600000}"#, impUid, shop).isEmpty)
        }
    }

    @Test(arguments: [("http://127.0.0.1:1/hook", 2), ("", 0)])
    func webhook_withoutServer_hasNoStatus(url: String, count: Int) async throws {
        try await PortOneShop.run({ $0.portOneWebhookURL = url }) { shop in
            let impUid = try await shop.pay()
            #expect(try await Self.send(#"{"times": 2}"#, impUid, shop) == Array(repeating: nil, count: count))
        }
    }

    @Test(arguments: [
        (#"{"times": 0}"#, "times"), (#"{"times": 101}"#, "times"), (#"{"delay_ms": -1}"#, "delay_ms"),
        (#"{"delay_ms": 600001}"#, "delay_ms"), (#"{"form": 1}"#, "form"), (#"{"status": 1}"#, "status"),
    ])
    func invalidOrder_namesField(order: String, field: String) async throws {
        try await WebhookReceiver.run { shop, receiver in
            let impUid = try await shop.pay()
            let reply = try await shop.sandbox.post("/_control/payments/\(impUid)/webhook", json: order)
            reply.expectRefusal(naming: field)
            #expect(receiver.all.isEmpty)
        }
    }

    @Test func cancellation_sendsWebhookOnDemandOnly() async throws {
        try await WebhookReceiver.run { shop, receiver in
            let silent = try await shop.pay()
            _ = try await shop.cancel(#"{"imp_uid": "\#(silent)", "enable_webhook": false}"#)
            let notified = try await shop.pay()
            let answer = try await shop.cancel(#"{"imp_uid": "\#(notified)", "amount": 2000, "enable_webhook": true}"#)
            let fields = try Self.fields(try #require(try await receiver.first(1).first))
            let cancellation = try #require(answer.value.cancelHistory.first)
            #expect(
                fields == [
                    "imp_uid": notified, "merchant_uid": "ABCD123456", "status": "cancelled",
                    "cancellation_id": cancellation.cancellationId,
                ]
            )
            #expect(receiver.all.count == 1)
        }
    }

    /// The receiver's responses, 200 after the last, and the number of webhooks.
    @Test(
        arguments: [
            ([.serviceUnavailable, .internalServerError], 3), (Array(repeating: .serviceUnavailable, count: 20), 6),
            ([.badRequest], 1),
        ] as [([HTTPResponse.Status], Int)]
    )
    func windowWebhook_isRepeatedWhileServerFails_atMostSixTimes(
        answers: [HTTPResponse.Status],
        count: Int
    ) async throws {
        try await WebhookReceiver.run(answers: answers, pause: .milliseconds(1)) { shop, receiver in
            let impUid = try #require(try await shop.begin().impUid)
            _ = try await shop.press("pay", in: impUid)
            let webhooks = try await receiver.first(count)
            #expect(webhooks.count == count)
            #expect(Set(webhooks.map(\.body)).count == 1)
            #expect(try Self.fields(webhooks[count - 1])["status"] == "paid")
            try await Task.sleep(for: .milliseconds(100))
            #expect(receiver.all.count == count)
        }
    }
}
