import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Console
@testable import Sandbox

@Suite(.database(Console.Migrations.all), .timeLimit(.minutes(1))) struct OutsideRoutesTests {
    /// Runs with a sandbox that listens.
    private static func withSandbox(
        _ body: @escaping @Sendable (ConsoleWorld, String) async throws -> Void
    ) async throws {
        var configuration = SandboxConfiguration()
        (configuration.port, configuration.portOneWebhookURL) = (0, "")
        try await buildSandbox(configuration, logger: .quiet).test(.live) { client in
            let url = "http://127.0.0.1:\(try #require(client.port))"
            try await ConsoleWorld.test({ $0.sandboxURL = url }) { try await body($0, url) }
        }
    }

    @Test func badDay_begins_isShown_andEnds() async throws {
        try await Self.withSandbox { world, _ in
            let browser = try await world.browser(role: "act")
            let fields = ["provider": "kakao", "kind": "http", "count": "3", "reason": "drill"]
            #expect(try await browser.post("outside/faults", fields).status == .seeOther)
            let page = try await browser.get("outside").text
            #expect(page.contains("<td>kakao</td><td>http 503</td>"))
            #expect(try await browser.post("outside/faults", fields.merging(["count": "0"]) { $1 }).status == .seeOther)
            #expect(try await browser.get("outside").text.contains("All providers work."))
            let acts = try await browser.get("acts").text
            #expect(acts.contains("begin bad day") && acts.contains("end bad day") && acts.contains("drill"))
        }
    }

    @Test(
        arguments: [
            ["provider": "nowhere"], ["kind": "<b>"], ["count": "x"], ["count": "-1"], ["count": "1001"],
            ["reason": ""],
        ]
    )
    func badDayThatIsNone_isRefused(change: [String: String]) async throws {
        try await Self.withSandbox { world, _ in
            let browser = try await world.browser(role: "act")
            let fields = ["provider": "kakao", "kind": "http", "count": "3", "reason": "drill"]
            let answer = try await browser.post("outside/faults", fields.merging(change) { $1 })
            #expect(answer.status == .badRequest && !answer.text.contains("<b>"))
            #expect(try await world.count("acts") == 0)
        }
    }

    @Test func operatorWhoLooks_sees_andBeginsNoBadDay() async throws {
        try await Self.withSandbox { world, _ in
            let browser = try await world.browser(role: "look")
            #expect(!(try await browser.get("outside").text).contains("<form class=\"row\""))
            let fields = ["provider": "kakao", "kind": "http", "count": "3", "reason": "drill"]
            #expect(try await browser.post("outside/faults", fields).status == .forbidden)
            let webhook = try await browser.post("outside/webhook", ["payment": "imp_1", "reason": "drill"])
            #expect(webhook.status == .forbidden)
        }
    }

    /// The text of a push is shown as it is, on the page and in the story of its trace.
    @Test func push_isOnALockScreen_andInItsStory() async throws {
        try await Self.withSandbox { world, url in
            let id = UUID().uuidString.lowercased()
            let http = ProviderConnection(provider: "sandbox", baseURL: url, http: .untraced)
            let token: [String: String]? = try await http.post(
                "/_control/fcm/tokens",
                json: ["project": "madang-moup"]
            ).value()
            let message = Message(
                message: .init(
                    token: "phone-1",
                    notification: ["title": "새 알림", "body": "<script>alert(1)</script>"],
                    apns: .init(headers: ["apns-id": id])
                )
            )
            let sent = try await http.post(
                "/fcm/v1/projects/madang-moup/messages:send",
                json: message,
                authorization: "Bearer \(token?["access_token"] ?? "")"
            )
            try #require(sent.status == 200, "\(String(decoding: sent.body, as: UTF8.self))")
            let span = StoredSpan(2, under: 1, name: "push", ["messaging.system": "fcm", "messaging.message.id": id])
            try await world.report([StoredSpan(1), span])
            let browser = try await world.browser()
            for path in ["outside", "story/\(StoredSpan.trace(1))"] {
                let page = try await browser.get(path).text
                #expect(page.contains("새 알림") && page.contains("&#60;script&#62;alert(1)"), "\(path)")
                #expect(!page.contains("<script>alert"), "\(path)")
            }
        }
    }

    private struct Message: Encodable {
        var message: Body

        struct Body: Encodable {
            var token: String
            var notification: [String: String]
            var apns: APNS
        }

        struct APNS: Encodable { var headers: [String: String] }
    }

    @Test func webhookOfUnknownPayment_hasNoAnswer() async throws {
        try await Self.withSandbox { world, _ in
            let browser = try await world.browser(role: "act")
            for (payment, status) in [("imp_0", 303), ("../faults", 404), ("", 404), ("a\0", 404)] {
                let answer = try await browser.post("outside/webhook", ["payment": payment, "reason": "lost"])
                #expect(answer.status.code == status)
            }
            #expect(try await browser.get("acts").text.contains("no answer"))
        }
    }

    @Test func withoutSandbox_pageSaysSo() async throws {
        try await ConsoleWorld.test { world in
            let browser = try await world.browser(role: "act")
            #expect(try await browser.get("outside").text.contains("there is no sandbox here"))
            let fields = ["provider": "kakao", "kind": "http", "count": "3", "reason": "drill"]
            #expect(try await browser.post("outside/faults", fields).status == .notFound)
        }
        try await ConsoleWorld.test({ $0.sandboxURL = "http://127.0.0.1:1" }) { world in
            let page = try await world.browser(role: "act").get("outside")
            #expect(page.status == .ok && page.text.contains("The sandbox does not answer."))
        }
    }
}
