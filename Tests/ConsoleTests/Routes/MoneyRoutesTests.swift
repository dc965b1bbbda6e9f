import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Console

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct MoneyRoutesTests {
    private var world: ConsoleWorld { .current }

    @Test(.moneyService) func overview_showsOrdersAndOpenDifferences() async throws {
        let page = try await world.browser().get("money")
        #expect(page.status == .ok && page.text.contains(#"<a href="/console/money" aria-current="page">"#))
        for part in [
            "/console/money/orders/7", "ABCD000007", "100,000 won", "/console/people?q=71",
            "Open differences · 2025-11-05",
            "imp_9", "/console/money/differences", "/console/money/payslip",
        ] {
            #expect(page.text.contains(part), "\(part)")
        }
        #expect(!page.text.contains("<b>") && !page.text.contains("imp_8") && !page.text.contains("does not answer"))
    }

    @Test(.moneyService, arguments: ["imp_7", "7"]) func orderThatIsFound_isShown(text: String) async throws {
        let answer = try await world.browser().get("money?find=\(text)")
        #expect(answer.headers[.location] == "/console/money/orders/7")
    }

    @Test(.moneyService, arguments: ["nowhere", "%3Cb%3E", "a%00b", String(repeating: "x", count: 5000)])
    func unknownOrder_isSaidToBeUnknown(text: String) async throws {
        let page = try await world.browser().get("money?find=\(text)")
        #expect(page.status == .ok && page.text.contains("There is no such order") && !page.text.contains("<b>"))
    }

    @Test(.moneyService) func order_showsAllThatBelongsToIt_andNoFormToThoseWhoLook() async throws {
        let page = try await world.browser().get("money/orders/7").text
        for part in [
            "imp_7", "confirmed", "70,000 won", "30,000 won", "clearing", "-100,000 won", "account/71", "decided",
            "Payable until", "/console/story?q=",
        ] {
            #expect(page.contains(part), "\(part)")
        }
        #expect(!page.contains("<b>") && !page.contains("/refund") && !page.contains(#"name="key""#))
    }

    @Test(.moneyService, arguments: ["8", "0", "-1", "x", "%3Cb%3E", "99999999999999999999"])
    func unknownOrder_isNotFound(id: String) async throws {
        let browser = try await world.browser(role: "act")
        #expect(try await browser.get("money/orders/\(id)").status == .notFound)
        let fields = ["key": "0123456789abcdef01234567", "payment": "imp_7", "reason": "r"]
        #expect(try await browser.post("money/orders/\(id)/refund", fields).status == .notFound)
        #expect(try await world.count("acts") == 0)
    }

    @Test(.moneyService) func differences_areShown_andOfOneDay() async throws {
        let browser = try await world.browser()
        for path in ["money/differences", "money/differences?day=2025-11-05"] {
            let page = try await browser.get(path)
            #expect(page.status == .ok && page.text.contains("imp_9") && page.text.contains("imp_8"))
            #expect(page.text.contains("/console/money?find=") && page.text.contains("remains"))
            #expect(!page.text.contains("<b>") && !page.text.contains("/console/money/compare"))
        }
        #expect(try await browser.get("money/differences?day=2025-11-04").status == .notFound)
        #expect(try await browser.get("money/differences?day=%3Cb%3E").status == .ok)
    }

    @Test(.moneyService) func comparedDay_isRecorded() async throws {
        let browser = try await world.browser(role: "act")
        #expect(try await browser.get("money/differences").text.contains("/console/money/compare"))
        let answer = try await browser.post("money/compare", ["day": "2025-11-05", "reason": "a lost webhook"])
        #expect(answer.headers[.location] == "/console/money/differences")
        let acts = try await browser.get("acts").text
        #expect(acts.contains("compare with PortOne") && acts.contains("2 differences"))
        for (day, status) in [("2025-11-04", 409), ("9999-12-31", 400), ("november", 400), ("", 400)] {
            let answer = try await browser.post("money/compare", ["day": day, "reason": "r"])
            #expect(answer.status.code == status, "\(day)")
        }
        #expect(try await browser.post("money/compare", ["day": "2025-11-05"]).status == .badRequest)
        #expect(try await world.count("acts") == 1)
        let looker = try await world.browser()
        #expect(try await looker.post("money/compare", ["day": "2025-11-05", "reason": "r"]).status == .forbidden)
    }

    @Test(.moneyService) func comparisonThatGoesOn_isContinued_atItsCursor() async throws {
        let browser = try await world.browser(role: "act")
        var fields = ["day": "2025-11-05", "after": MoneyStubs.cursors[1], "reason": "r"]
        #expect(try await browser.post("money/compare", fields).headers[.location] == "/console/money/differences")
        fields["after"] = "99.payments.imp_1"
        #expect(try await browser.post("money/compare", fields).status == .conflict)
        for cursor in ["<b>", "a&b", "/../", String(repeating: "x", count: 201)] {
            fields["after"] = cursor
            #expect(try await browser.post("money/compare", fields).status == .badRequest, "\(cursor)")
        }
        #expect(try await world.count("acts") == 1)
        // A comparison of which nothing remains has no way to go on.
        let page = try await browser.get("money/differences?day=2025-11-05&after=\(MoneyStubs.cursors[1])").text
        #expect(!page.contains("Go on") && page.contains("Compare again"))
    }

    /// No service runs beside the console in this test.
    @Test(.service) func serviceThatDoesNotAnswer_isNamed() async throws {
        let browser = try await world.browser(role: "act")
        for path in [
            "money", "money?find=x", "money/orders/7", "money/differences", "money/differences?day=2025-11-05",
        ] {
            let page = try await browser.get(path)
            #expect(page.status == .ok && page.text.contains("This service does not answer: payments"), "\(path)")
        }
        for path in ["money/payslip?account=71", "money/payslip?account=71&workplace=3&month=2025-11"] {
            let page = try await browser.get(path)
            #expect(page.status == .ok && page.text.contains("This service does not answer: workforce"), "\(path)")
        }
        let fields = ["key": "0123456789abcdef01234567", "payment": "imp_7", "reason": "r"]
        let answer = try await browser.post("money/orders/7/refund", fields)
        #expect(answer.status == .serviceUnavailable && answer.text.contains("it refunds once"))
        #expect(try await world.count("acts") == 0)
    }

    @Test(.moneyService) func storyOfAnOrder_leadsToIt() async throws {
        try await world.report([
            StoredSpan(1, name: "POST /v1/orders", ["madang.order": "A-1", "madang.imp_uid": "imp_7"])
        ])
        let page = try await world.browser().get("story/\(StoredSpan.trace(1))").text
        #expect(page.matches(of: /\/console\/money\?find=/).count == 2)
    }

    /// The code of an order may have an app's key, which is in no trace.
    @Test(.moneyService) func story_isFound_byACodeThatTracesHaveOtherwise() async throws {
        try await world.report([StoredSpan(1, name: "POST /v1/orders", ["madang.order": MoneyStubs.order.code])])
        let found = try await world.browser().get("story?q=imp_7")
        #expect(found.headers[.location] == "/console/story/\(StoredSpan.trace(1))")
    }
}
