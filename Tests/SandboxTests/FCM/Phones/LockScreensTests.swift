import HTTPTypes
import Testing

@testable import Sandbox

@Suite(.sandbox) struct LockScreensTests {
    private let sandbox = SandboxClient.current

    private static func collapsing(_ id: String) -> String { #"{"headers": {"apns-collapse-id": "\#(id)"}}"# }

    /// The devices on the page, as HTML.
    private static func phones(_ sender: FCMSender, _ query: String = "") async throws -> String {
        let page = try await sender.sandbox.get("/_control/push/phones\(query)")
        #expect(page.status == 200)
        let main = try #require(
            page.text.split(separator: "<main>").dropFirst().first?.split(separator: "</main>").first
        )
        return String(main)
    }

    private static func count(_ text: String, in page: String) -> Int {
        page.split(separator: text, omittingEmptySubsequences: false).count - 1
    }

    @Test func devices_showTheirOwnNotifications() async throws {
        let sender = try await FCMSender()
        _ = try await sender.notify("phone-a", "one")
        _ = try await sender.notify("phone-b", "two")
        let all = try await Self.phones(sender)
        #expect(Self.count(#"<article class="phone">"#, in: all) == 2)
        for text in ["one", "two", "phone-a", "phone-b", #"<span>moup</span>"#] { #expect(all.contains(text)) }
        let mine = try await Self.phones(sender, "?token=phone-a")
        #expect(Self.count(#"<article class="phone">"#, in: mine) == 1)
        #expect(mine.contains("one") && !mine.contains("two"))
    }

    @Test func notification_withSameCollapseID_replacesEarlier() async throws {
        let sender = try await FCMSender()
        for (body, id) in [("first", "room"), ("lone", "apart"), ("second", "room"), ("third", "room")] {
            _ = try await sender.notify("a", body, apns: Self.collapsing(id))
        }
        _ = try await sender.notify("b", "on another phone", apns: Self.collapsing("room"))
        let page = try await Self.phones(sender)
        #expect(Self.count(#"<li class="card">"#, in: page) == 3)
        #expect(page.contains("third") && page.contains("lone"))
        #expect(!page.contains("first") && !page.contains("second"))
        #expect(Self.count("replaces 2", in: page) == 1)
        let third = try #require(page.firstRange(of: "third"))
        let lone = try #require(page.firstRange(of: "lone"))
        #expect(third.lowerBound < lone.lowerBound)
    }

    @Test func badge_isLastReceivedNumber() async throws {
        let sender = try await FCMSender()
        _ = try await sender.notify("a", "one", apns: #"{"payload": {"aps": {"badge": 4, "thread-id": "room7"}}}"#)
        _ = try await sender.notify("a", "two")
        let page = try await Self.phones(sender)
        #expect(page.contains(#"<b class="badge">4</b>"#))
        #expect(page.contains("thread room7"))
        _ = try await sender.send(#"{"message": {"token": "a", "apns": {"payload": {"aps": {"badge": 0}}}}}"#)
        let cleared = try await Self.phones(sender)
        #expect(!cleared.contains(#"<b class="badge">"#))
        #expect(cleared.contains("1 not shown to people"))
    }

    @Test func text_isEscaped() async throws {
        let sender = try await FCMSender()
        let apns =
            #"{"headers": {"apns-collapse-id": "<i>"}, "payload": {"aps": {"alert": {"subtitle": "{{phones}}"}}}}"#
        _ = try await sender.notify("<script>x</script>", "<img src=x onerror='x'>{{nonce}}&amp;", apns: apns)
        let page = try await Self.phones(sender)
        for text in ["<script>x", "<img", "<i>", "{{"] {
            #expect(!page.contains(text), "\(text)")
        }
        #expect(page.contains("&#60;img src=x onerror=&#39;x&#39;&#62;&#123;&#123;nonce&#125;&#125;&#38;amp;"))
        #expect(page.contains("&#60;script&#62;x&#60;/script&#62;"))
        #expect(page.contains("&#123;&#123;phones&#125;&#125;"))
    }

    @Test func page_loadsNoExternalResources() async throws {
        let page = try await sandbox.get("/_control/push/phones")
        #expect(page.status == 200)
        #expect(page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(page.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'") == true)
        #expect(!page.text.contains("http:") && !page.text.contains("https:") && !page.text.contains("{{"))
        #expect(page.text.contains("<main></main>") && page.text.contains("No notification yet"))
    }
}
