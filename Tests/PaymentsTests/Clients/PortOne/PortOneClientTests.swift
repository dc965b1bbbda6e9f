import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import ServiceKit
import TestKit
import Testing

@testable import Payments

/// The client decodes untrusted answers of PortOne.
@Suite(.timeLimit(.minutes(1))) struct PortOneClientTests {
    /// Runs the client against a stub that gives the same answer to every payment request.
    @discardableResult
    private func ask<Value: Sendable>(
        _ answer: String,
        status: HTTPResponse.Status = .ok,
        _ body: @escaping @Sendable (PortOneClient) async throws -> Value
    ) async throws -> Value {
        let router = Router()
        router.post("users/getToken") { _, _ in
            #"{"code":0,"message":null,"response":{"access_token":"t","now":1,"expired_at":1801}}"#
        }
        for method in [HTTPRequest.Method.get, .post, .put] {
            router.on("payments/**", method: method) { _, _ in
                Response(status: status, body: ResponseBody(byteBuffer: .init(string: answer)))
            }
        }
        return try await Application(router: router, logger: .quiet).test(.live) { server in
            let url = "http://127.0.0.1:\(server.port ?? 0)"
            return try await body(PortOneClient(url: url, key: "k", secret: "s", now: { .now }))
        }
    }

    private static func payment(_ fields: String = "") -> String {
        """
        {"code":0,"message":null,"response":{"imp_uid":"imp_1","merchant_uid":"ABCD123456","status":"paid","amount":100,
        "currency":"KRW","paid_at":1700000000,"cancel_amount":0\(fields)}}
        """
    }

    @Test func payment_isDecoded() async throws {
        let report = try await ask(Self.payment()) { try await $0.payment("imp_1") }
        #expect(report?.status == .paid && report?.money == .won(100) && report?.cancelled == 0)
        #expect(report?.paidAt == Date(timeIntervalSince1970: 1_700_000_000) && report?.isTest == false)
    }

    /// Receipt fields are informational, and buyers enter some of them.
    @Test func malformedReceiptFields_areDropped() async throws {
        let fields =
            #","buyer_name":"a\u0000b","custom_data":{"a":1},"card_quota":"3","card_type":true,"escrow":"no","name":7"#
        let report = try await ask(Self.payment(fields)) { try await $0.payment("imp_1") }
        #expect(report?.receipt.texts == ["buyer_name": "ab"])
        #expect(report?.receipt.numbers == ["card_quota": 3] && report?.receipt.flags == [:])
    }

    @Test(arguments: [
        "", "null", "[]", "<html>", "{}", #"{"code":0,"message":null,"response":null}"#, #"{"code":"0","response":{}}"#,
        #"{"code":0,"response":{}}"#, #"{"code":-1,"message":"x","response":null}"#,
        payment().replacing("imp_1", with: "imp_2"), payment().replacing("imp_1", with: "../x"),
        payment().replacing("ABCD123456", with: ""), payment().replacing("ABCD123456", with: #"a\u0000"#),
        payment().replacing("\"paid\"", with: "\"PAID\""), payment().replacing("100", with: "100.5"),
        payment().replacing("100", with: "-1"), payment().replacing("100", with: "1e99"),
        payment().replacing("100", with: "\"100\""), payment().replacing("KRW", with: "원"),
        payment().replacing("\"cancel_amount\":0", with: "\"cancel_amount\":-5"),
    ])
    func malformedPayment_throwsProviderUnavailable(answer: String) async throws {
        try await ask(answer) { portOne -> Void in
            await #expect(throws: ProviderUnavailable.self) { try await portOne.payment("imp_1") }
        }
    }

    @Test func unknownPayment_isNil() async throws {
        let none = #"{"code":-1,"message":"존재하지 않는 결제정보입니다.","response":null}"#
        #expect(try await ask(none, status: .notFound) { try await $0.payment("imp_1") } == nil)
        #expect(try await ask(none, status: .notFound) { try await $0.payments(under: "ABCD123456") }.isEmpty)
    }

    /// The list has one payment of another order and one that cannot be decoded.
    @Test func paymentList_skipsForeignAndUnreadableEntries() async throws {
        let own = Self.payment().split(separator: "\"response\":")[1].dropLast()
        let others = own.replacing("ABCD123456", with: "ABCD123457").replacing("imp_1", with: "imp_2")
        let odd = own.replacing("100", with: "0.5").replacing("imp_1", with: "imp_3")
        let list =
            #"{"code":0,"message":null,"response":{"total":4,"previous":0,"next":0,"list":[\#(odd),\#(others),7,\#(own)]}}"#
        let found = try await ask(list) { try await $0.payments(under: "ABCD123456") }
        #expect(found.map(\.impUID) == ["imp_1"])
        let page = try await ask(list) { try await $0.payments(from: .now - 60, to: .now, page: 1, limit: 100) }
        #expect(page.unreadable == ["imp_3", "?"] && page.reports.count == 2 && page.isLast)
    }

    @Test func refusal_throwsPortOneRefusal() async throws {
        let refusal = #"{"code":1,"message":"취소할 금액이 없습니다.","response":null}"#
        let report = try #require(try await ask(Self.payment()) { try await $0.payment("imp_1") })
        try await ask(refusal) { portOne -> Void in
            await #expect(throws: PortOneRefusal(message: "취소할 금액이 없습니다.")) {
                try await portOne.cancel(report, .won(100), because: "a")
            }
        }
    }
}
