import HTTPTypes
import Testing

@testable import Sandbox

@Suite(.sandbox) struct PortOneWindowPageTests {
    @Test func page_showsPaymentAndButtons() async throws {
        let shop = try await PortOneShop()
        let impUid = try #require(try await shop.begin(["name": "%ED%95%9C%EA%B0%95"]).impUid)
        let page = try await shop.sandbox.get("/portone/window/\(impUid)")
        #expect(page.status == 200)
        #expect(page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(page.headers[.cacheControl] == "no-store")
        for text in [#"<h1 id="name">한강</h1>"#, "12,000원", "ABCD123456", #"data-status="ready""#] {
            #expect(page.text.contains(text), "\(text)")
        }
        for button in ["pay", "fail", "cancel", "close"] {
            #expect(page.text.contains(#"<button id="\#(button)" type="button""#), "\(button)")
        }
        #expect(!page.text.contains("{{"))
        #expect(!page.text.contains("http:") && !page.text.contains("https:"))
        let nonce = try #require(
            page.text.split(separator: #"nonce=""#).dropFirst().first?.split(separator: "\"").first
        )
        #expect(page.headers[.contentSecurityPolicy]?.contains("script-src 'nonce-\(nonce)'") == true)
        let again = try await shop.sandbox.get("/portone/window/\(impUid)")
        #expect(!again.text.contains(nonce))
    }

    @Test func text_isEscaped() async throws {
        let shop = try await PortOneShop()
        let name = "%3Cscript%3Ealert(1)%3C%2Fscript%3E%7B%7Bnonce%7D%7D%26amp%3B"
        let fields = ["name": name, "merchant_uid": "%22%3E%3Cimg%3E%7B%7Bname%7D%7D"]
        let impUid = try #require(try await shop.begin(fields).impUid)
        let page = try await shop.sandbox.get("/portone/window/\(impUid)").text
        #expect(
            page.contains("&#60;script&#62;alert(1)&#60;/script&#62;&#123;&#123;nonce&#125;&#125;&#38;amp;</h1>")
        )
        #expect(page.contains("&#34;&#62;&#60;img&#62;&#123;&#123;name&#125;&#125;</dd>"))
        #expect(!page.contains("<img>"))
        #expect(!page.contains("<script>"))
    }

    @Test func payment_withoutName_showsMerchantUID() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay(more: #", "status": "failed""#)
        let page = try await shop.sandbox.get("/portone/window/\(impUid)").text
        #expect(page.contains(#"<h1 id="name">ABCD123456</h1>"#))
        #expect(page.contains(#"data-status="failed""#))
    }
}
