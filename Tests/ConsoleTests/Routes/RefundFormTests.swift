import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Console

/// Refunds from the page of an order.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .moneyService) struct RefundFormTests {
    private var world: ConsoleWorld { .current }

    private static let path = "money/orders/7/refund"

    /// The fields of the form, as the page has them.
    private func form(_ browser: ConsoleWorld.Browser) async throws -> [String: String] {
        let page = try await browser.get("money/orders/7").text
        let key = try #require(page.firstMatch(of: /name="key" value="([0-9a-f]{24})"/)).output.1
        return ["key": String(key), "payment": "imp_7", "amount": "30000", "reason": "고객 요청"]
    }

    private func refunds(_ browser: ConsoleWorld.Browser) async throws -> Int {
        try await browser.get("money/orders/7").text.matches(of: /refunded [0-9]{4}-/).count
    }

    @Test func formThatIsSentTwice_refundsOnce() async throws {
        let browser = try await world.browser(role: "act")
        let fields = try await form(browser)
        for _ in 0..<2 {
            let answer = try await browser.post(Self.path, fields)
            #expect(answer.headers[.location] == "/console/money/orders/7", "\(answer.text)")
        }
        #expect(try await refunds(browser) == 1)
        let other = try await browser.post(Self.path, fields.merging(["amount": "1"]) { $1 })
        #expect(other.status == .conflict && other.text.contains("was sent before"))
        // A new page has a new key.
        #expect(try await browser.post(Self.path, form(browser)).status == .seeOther)
        #expect(try await refunds(browser) == 2)
        let acts = try await browser.get("acts").text
        #expect(acts.contains("ABCD000007 imp_7 30000") && acts.contains("PortOne has refunded 30000"))
        #expect(try await world.count("acts") == 3)
    }

    @Test func refundWithoutAmount_isOfAll() async throws {
        let browser = try await world.browser(role: "act")
        let fields = try await form(browser).merging(["amount": ""]) { $1 }
        #expect(try await browser.post(Self.path, fields).status == .seeOther)
        #expect(try await browser.get("acts").text.contains("imp_7 all"))
    }

    @Test func failureOfPortOne_isShownAndRecorded() async throws {
        let browser = try await world.browser(role: "act")
        let fields = try await form(browser).merging(["reason": "fail"]) { $1 }
        #expect(try await browser.post(Self.path, fields).status == .seeOther)
        for path in ["acts", "money/orders/7"] {
            let page = try await browser.get(path).text
            #expect(!page.contains("<b>") && page.contains("no"))
        }
        #expect(try await browser.get("acts").text.contains("PortOne: "))
        #expect(try await browser.get("money/orders/7").text.contains("1 attempts, next "))
    }

    @Test func refundOfMoreThanTheRest_isRefused_andNotRecorded() async throws {
        let browser = try await world.browser(role: "act")
        let answer = try await browser.post(Self.path, form(browser).merging(["amount": "70001"]) { $1 })
        #expect(answer.status == .badRequest && answer.text.contains("amount must be from 1 to 70000."))
        #expect(try await world.count("acts") == 0)
    }

    @Test func invalidForm_isRefused() async throws {
        let browser = try await world.browser(role: "act")
        let fields = try await form(browser)
        let cases: [([String: String], Int)] = [
            (["reason": ""], 400), (["reason": "a\0b"], 400),
            (["reason": String(repeating: "x", count: 101)], 400), (["key": ""], 400),
            (["key": "x\r\ny"], 400), (["amount": "0"], 400), (["amount": "-1"], 400), (["amount": "1.5"], 400),
            (["amount": "99999999999999999999"], 400), (["payment": "imp_8"], 404), (["payment": ""], 404),
        ]
        for (change, status) in cases {
            let answer = try await browser.post(Self.path, fields.merging(change) { $1 })
            #expect(answer.status.code == status, "\(change)")
        }
        #expect(try await browser.post(Self.path, fields, form: "another").status == .forbidden)
        #expect(try await refunds(browser) == 0)
        #expect(try await world.count("acts") == 0)
    }

    @Test func operatorWhoLooks_refundsNothing() async throws {
        let fields = try await form(try await world.browser(role: "act"))
        #expect(try await world.browser().post(Self.path, fields).status == .forbidden)
        #expect(try await world.count("acts") == 0)
    }
}
