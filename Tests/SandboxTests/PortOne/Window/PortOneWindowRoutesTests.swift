import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Sandbox

@Suite(.sandbox, .timeLimit(.minutes(1))) struct PortOneWindowRoutesTests {
    private let sandbox = SandboxClient.current

    @Test func pay_marksPaid_andSendsWebhook() async throws {
        try await WebhookReceiver.run { shop, receiver in
            let begun = try await shop.begin(["custom_data": "%7B%22a%22%3A1%7D", "pg": "kakaopay.TC0ONETIME"])
            let impUid = try #require(begun.impUid)
            #expect(begun.outcome == nil)
            let ready = try await shop.state(impUid)
            #expect(ready.status == "ready")
            #expect(ready.customData == #"{"a":1}"#)
            #expect(ready.pgId == "TC0ONETIME")

            let ended = try await shop.press("pay", in: impUid)
            let outcome = try #require(ended.outcome)
            #expect(outcome.success)
            #expect(outcome.impUid == impUid)
            #expect(outcome.merchantUid == "ABCD123456")
            #expect(outcome.paidAmount == 12_000)
            #expect(outcome.status == "paid")
            #expect(outcome.errorMsg == nil)
            #expect(ended.redirect == nil)
            #expect(try await shop.get("payments/\(impUid)").value.status == "paid")
            #expect(try await receiver.first(1).first?.body.contains(impUid) == true)
        }
    }

    @Test(arguments: [("fail", "거절"), ("cancel", "사용자가 결제를 취소하셨습니다")])
    func failAndCancel_markFailed_withoutWebhook(button: String, reason: String) async throws {
        try await WebhookReceiver.run { shop, receiver in
            let impUid = try #require(try await shop.begin().impUid)
            let outcome = try #require(try await shop.press(button, in: impUid).outcome)
            #expect(!outcome.success)
            #expect(outcome.impUid == impUid)
            #expect(outcome.errorCode?.isEmpty == false)
            #expect(outcome.errorMsg?.contains(reason) == true)
            #expect(outcome.paidAmount == nil)
            let state = try await shop.state(impUid)
            #expect(state.status == "failed")
            #expect(state.failReason == outcome.errorMsg)
            #expect(state.failedAt > 0)

            let paid = try #require(try await shop.begin().impUid)
            _ = try await shop.press("pay", in: paid)
            #expect(try await receiver.first(1).map { $0.body.contains(paid) } == [true])
        }
    }

    @Test func concurrentDecisions_oneSucceeds() async throws {
        try await WebhookReceiver.run { shop, receiver in
            let impUid = try #require(try await shop.begin().impUid)
            let outcomes = try await concurrently(20) { index in
                try await shop.press(["pay", "fail", "cancel"][index % 3], in: impUid).outcome != nil
            }
            #expect(outcomes.count { $0 } == 1)
            let late = try await shop.sandbox.post("/portone/window/\(impUid)/pay", form: [:])
            #expect(late.status == 409)
            #expect(try late.portOne(PortOneAnswer.Payment.self).code == -1)
        }
    }

    @Test func amountOtherThanRegistered_isRefused() async throws {
        let shop = try await PortOneShop()
        let order = #"{"merchant_uid": "ABCD123456", "amount": 12000}"#
        _ = try await shop.sandbox.post("/portone/payments/prepare", json: order, authorization: shop.token)
        let refused = try await shop.begin(["amount": "100"])
        #expect(refused.impUid == nil)
        let outcome = try #require(refused.outcome)
        #expect(!outcome.success)
        #expect(outcome.errorMsg?.contains("사전등록") == true)
        let impUid = try #require(outcome.impUid)
        #expect(try await shop.state(impUid).status == "failed")
        #expect(try await shop.press("pay", in: impUid).outcome == nil)
        #expect(try await shop.state(impUid).status == "failed")

        #expect(try await shop.begin().impUid != nil)
        #expect(try await shop.begin(["amount": "100", "merchant_uid": "OTHER"]).impUid != nil)
    }

    @Test func mobilePayment_redirectsToShop() async throws {
        let shop = try await PortOneShop()
        let address = ["m_redirect_url": "https%3A%2F%2Fshop.example%2Fdone%3Fx%3D1%23top"]
        let paid = try #require(try await shop.begin(address).impUid)
        let success = try #require(try await shop.press("pay", in: paid).redirect)
        #expect(success.hasPrefix("https://shop.example/done?x=1&"))
        #expect(success.hasSuffix("#top"))
        let fields = Self.query(success)
        #expect(
            fields == ["x": "1", "imp_uid": paid, "merchant_uid": "ABCD123456", "imp_success": "true"]
        )

        let given = try #require(try await shop.begin(["m_redirect_url": "http%3A%2F%2Fshop.example%2F"]).impUid)
        let failure = try #require(try await shop.press("cancel", in: given).redirect)
        #expect(failure.hasPrefix("http://shop.example/?"))
        #expect(Self.query(failure)["imp_success"] == "false")
        #expect(Self.query(failure)["imp_uid"] == given)
        #expect(Self.query(failure)["error_code"]?.isEmpty == false)
        #expect(Self.query(failure)["error_msg"] == "사용자가 결제를 취소하셨습니다")
    }

    private static func query(_ url: String) -> [String: String] {
        let query = url.split(separator: "#")[0].split(separator: "?").last ?? ""
        return (try? URLEncodedFormDecoder().decode([String: String].self, from: String(query))) ?? [:]
    }

    @Test(arguments: [
        (["user_code": ""], "user_code"), (["merchant_uid": ""], "merchant_uid"), (["amount": "0"], "amount"),
        (["merchant_uid": "12345678901234567890123456789012345678901"], "merchant_uid"), (["amount": "x"], "amount"),
        (["amount": "10.5"], "amount"), (["m_redirect_url": "javascript%3Aalert(1)"], "m_redirect_url"),
    ])
    func invalidParameters_nameField(fields: [String: String], word: String) async throws {
        let shop = try await PortOneShop()
        let usual = ["user_code": "imp00000000", "merchant_uid": "ABCD123456", "amount": "12000"]
        let reply = try await shop.sandbox.post("/portone/window", form: usual.merging(fields) { $1 })
        #expect(reply.status == 400)
        let answer = try reply.decode(PortOneAnswer.Window.self)
        #expect(answer.impUid == nil)
        #expect(answer.outcome?.success == false)
        #expect(answer.outcome?.errorMsg?.contains(word) == true)
    }

    @Test(arguments: ["pay", "fail", "cancel"])
    func unknownPayment_returns404(button: String) async throws {
        let shop = try await PortOneShop()
        let window = "/portone/window/imp_000000000000"
        #expect(try await shop.sandbox.get(window).status == 404)
        #expect(try await shop.sandbox.post("\(window)/\(button)", form: [:]).status == 404)
        let impUid = try #require(try await shop.begin().impUid)
        #expect(try await shop.sandbox.post("/portone/window/\(impUid)/steal", form: [:]).status == 404)
        #expect(try await shop.state(impUid).status == "ready")
    }

    @Test func cors_allowsAnyOrigin() async throws {
        let shop = try await PortOneShop()
        let headers: HTTPFields = [
            .origin: "http://127.0.0.1:8080", .contentType: "application/x-www-form-urlencoded",
            .userAgent: "iPhone Mobile/15E148",
        ]
        let asked = try await shop.sandbox.client.execute(
            uri: "/portone/window",
            method: .options,
            headers: headers
        ) { $0.headers }
        #expect(asked[.accessControlAllowOrigin] == "*")
        #expect(asked[.accessControlAllowMethods]?.contains("POST") == true)

        for (amount, status) in [("12000", 200), ("x", 400)] {
            let body = ByteBuffer(string: "user_code=imp1&merchant_uid=A&amount=\(amount)")
            let reply = try await shop.sandbox.client.execute(
                uri: "/portone/window",
                method: .post,
                headers: headers,
                body: body
            ) { $0 }
            #expect(reply.status.code == status)
            #expect(reply.headers[.accessControlAllowOrigin] == "*")
            guard let impUid = try Reply(reply).decode(PortOneAnswer.Window.self).impUid else { continue }
            #expect(try await shop.state(impUid).channel == "mobile")
            #expect(try await shop.press("pay", in: impUid).origin == "http://127.0.0.1:8080")
        }
    }

    @Test func script_definesIMP_andCallsItsOwnOriginOnly() async throws {
        let reply = try await sandbox.get("/portone/v1/iamport.js")
        #expect(reply.status == 200)
        #expect(reply.headers[.contentType] == "text/javascript; charset=utf-8")
        for word in ["window.IMP", "init(", "request_pay(", "document.currentScript.src"] {
            #expect(reply.text.contains(word), "\(word)")
        }
        #expect(!reply.text.contains("http:") && !reply.text.contains("https:"))
    }
}
