import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Console

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct PageRoutesTests {
    private var world: ConsoleWorld { .current }

    @Test(arguments: ["now", "story", "live", "events", "money", "outside", "api", "data", "acts"])
    func page_isInTheLanguageOfTheBrowser_andHasNoForeignAddress(path: String) async throws {
        let browser = try await world.browser()
        for language in ["en", "ko"] {
            let page = try await browser.get(path, language: "\(language)-KR,x;q=0.5")
            #expect(page.status == .ok && page.text.contains(#"<html lang="\#(language)">"#))
            #expect(page.text.contains(#"aria-current="page""#))
            #expect(!page.text.contains("http://") && !page.text.contains("https://"))
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("script-src 'self'") && !policy.contains("unsafe") && !page.text.contains("style="))
        }
    }

    @Test func story_isFound_byEachOfItsIDs() async throws {
        let ids = [
            "madang.request_id": "0123456789abcdef", "user.id": "77", "session.id": "s-1", "madang.order": "A-1",
            "madang.imp_uid": "imp_1", "madang.room": "8", "madang.car": "2-901-3",
        ]
        try await world.report([StoredSpan(1, name: "POST /v1/orders", ids.merging(["madang.app": "anlaka"]) { $1 })])
        try await world.report([StoredSpan(1, in: 2)])
        let browser = try await world.browser()
        for id in ids.values + [StoredSpan.trace(1), "0123456789ABCDEF"] {
            let found = try await browser.get("story?q=\(id)")
            #expect(found.headers[.location] == "/console/story/\(StoredSpan.trace(1))", "\(id)")
        }
        let page = try await browser.get("story/\(StoredSpan.trace(1))")
        #expect(page.status == .ok && page.text.contains("POST /v1/orders") && page.text.contains("anlaka"))
    }

    @Test func storiesWithTheSameID_areListed() async throws {
        for trace in 1...3 {
            try await world.report([StoredSpan(trace, in: trace, name: "r\(trace)", ["user.id": "5"])])
        }
        let page = try await world.browser().get("story?q=5")
        #expect(page.status == .ok)
        for trace in 1...3 { #expect(page.text.contains("/console/story/\(StoredSpan.trace(trace))")) }
    }

    @Test(arguments: ["nowhere", "%3Cscript%3E", "a%00b", "'; DROP TABLE spans", String(repeating: "x", count: 5000)])
    func unknownID_isSaidToBeUnknown(id: String) async throws {
        let browser = try await world.browser()
        let query = id.replacing("'", with: "%27").replacing(";", with: "%3B").replacing(" ", with: "+")
        let found = try await browser.get("story?q=\(query)")
        #expect(found.status == .ok && found.text.contains("Nothing is kept about it"))
        #expect(!found.text.contains("<script>"))
        let story = try await browser.get("story/\(query)")
        #expect(story.status == .notFound)
    }

    @Test func hostileTexts_areShownAsText() async throws {
        let hostile = "<img src=x onerror=alert(1)>\u{1B}[2J\"'`{{x}}"
        let long = String(repeating: "가", count: 1 << 18)
        try await world.report([
            StoredSpan(1, name: hostile, ["madang.room": hostile, "madang.problem.code": hostile], isFailed: true),
            StoredSpan(2, under: 1, name: long, ["db.query.text": long]),
        ])
        let browser = try await world.browser()
        for path in ["story/\(StoredSpan.trace(1))", "story", "now"] {
            let page = try await browser.get(path)
            #expect(page.status == .ok && page.text.contains("&#60;img"))
            #expect(!page.text.contains("<img") && !page.text.contains("\u{1B}") && !page.text.contains("{{"))
            #expect(page.text.utf8.count < 100_000)
        }
    }

    @Test func longStory_isShownInParts() async throws {
        for part in 0..<5 {
            try await world.report((1...300).map { StoredSpan(part * 300 + $0, under: part + $0 == 1 ? nil : 1) })
        }
        let browser = try await world.browser()
        let path = "story/\(StoredSpan.trace(1))"
        let first = try await browser.get(path).text
        #expect(first.matches(of: /class="what"/).count == 200 && first.utf8.count < 100_000)
        #expect(first.contains("\(path)?part=0&#38;after=200") && first.contains("1300 more spans"))
        #expect(!first.contains("This story is long"))
        let last = try await browser.get("\(path)?after=1400").text
        #expect(last.matches(of: /class="what"/).count == 100 && !last.contains("more spans"))
        #expect(try await browser.get("\(path)?after=99999999999999999999").status == .ok)
    }

    @Test func storyOfManyThousandSpans_isReadInParts() async throws {
        for part in 0..<10 {
            try await world.report((1...500).map { StoredSpan(part * 500 + $0, under: part + $0 == 1 ? nil : 1) })
        }
        let browser = try await world.browser()
        let path = "story/\(StoredSpan.trace(1))"
        let first = try await browser.get(path).text
        #expect(first.contains("part 1 of 3") && first.contains("1800 more spans") && first.contains("part=1"))
        let last = try await browser.get("\(path)?part=2").text
        #expect(last.contains("part 3 of 3") && last.contains("800 more spans"))
        for part in ["3", "-1x", "99999999999999999999"] {
            #expect([.ok, .notFound].contains(try await browser.get("\(path)?part=\(part)").status))
        }
    }

    /// No service runs beside the console in this test.
    @Test func servicesThatDoNotAnswer_areNamed() async throws {
        let page = try await world.browser(role: "act").get("events")
        #expect(page.status == .ok)
    }

    @Test func act_needsAReason_andAnEvent() async throws {
        let browser = try await world.browser(role: "act")
        for reason in ["", String(repeating: "x", count: 201)] {
            let answer = try await browser.post("events/chat/1/retry", ["reason": reason])
            #expect(answer.status == .badRequest && answer.text.contains("Give a reason"))
        }
        for path in ["events/kakao/1/retry", "events/chat/0/retry", "events/chat/1/retry"] {
            #expect(try await browser.post(path, ["reason": "r"]).status == .notFound)
        }
        #expect(try await world.count("acts") == 0)
    }
}
