import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CheckoutPageTests {
    private var world: PaymentsWorld { .current }

    private func path(_ code: String) -> String { PaymentsWorld.checkoutPath(code) }

    @Test(.service) func checkoutPage_showsOrderAndListing() async throws {
        let code = try await world.order(1_234_000)
        let page = try await world.client(1).send(.get, path(code)).text
        for text in [
            "햇살이 드는 원룸", "1,234,000원", "<li>원룸</li>", "<li>보증금 10,000,000원</li>", "<li>24.5㎡</li>",
            #"data-amount="1234000""#, #"data-order="\#(code)""#, #"data-buyer="하루""#,
            #"data-store="imp00000000""#, #"data-provider="html5_inicis.INIpayTest""#, #"data-payment="""#,
            #"data-script="\#(PaymentWindow.sandboxScript)""#,
            #"data-address="http://127.0.0.1:8080/v1/payments/checkout/\#(code)""#,
        ] { #expect(page.contains(text), "\(text)") }
        let end = try await world.database.one("SELECT held_until FROM orders") { try $0.decode(Date.self) }
        let shown = try #require(page.firstMatch(of: /data-end="([^"]+)"/)?.1)
        #expect(
            try Date(String(shown), strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
                == end
        )
    }

    @Test func contentSecurityPolicy_allowsOwnAndPortOneScriptsOnly() async throws {
        try await PaymentsWorld.test({ $0.payWindow.script = "https://cdn.iamport.kr/v1/iamport.js" }) { world in
            let code = try await world.order()
            var nonces: Set<String> = []
            for _ in 0..<2 {
                let answer = try await world.client(1).send(.get, path(code))
                #expect(answer.status == .ok)
                #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
                #expect(answer.headers[.cacheControl] == "no-store")
                #expect(answer.headers[.xContentTypeOptions] == "nosniff")
                let policy = try #require(answer.headers[.contentSecurityPolicy])
                let nonce = try #require(policy.firstMatch(of: /script-src 'nonce-([A-Za-z0-9_-]{22})'/)?.1)
                let outside = "https://cdn.iamport.kr https://*.iamport.kr https://*.portone.io https://*.inicis.com"
                #expect(
                    policy.split(separator: ";").map { $0.trimmingPrefix(" ") } == [
                        "default-src 'none'", "script-src 'nonce-\(nonce)' https://cdn.iamport.kr",
                        "style-src 'nonce-\(nonce)'", "style-src-attr 'unsafe-inline'", "img-src \(outside)",
                        "connect-src 'self' \(outside)", "frame-src \(outside)", "form-action \(outside)",
                        "base-uri 'none'", "frame-ancestors 'none'",
                    ]
                )
                let page = answer.text
                #expect(page.contains("<script nonce=\"\(nonce)\">") && page.contains("<style nonce=\"\(nonce)\">"))
                #expect(page.matches(of: /<script/).count == 1 && page.matches(of: /<style/).count == 1)
                #expect(!page.contains("{{") && !page.contains(" src=") && page.firstMatch(of: /\son[a-z]+="/) == nil)
                nonces.insert(String(nonce))
            }
            #expect(nonces.count == 2)
        }
    }

    @Test(.service) func listingTitle_isEscaped() async throws {
        let title = #"</script><script>alert(1)</script>" onfocus="x' {{token}} {{nonce}} & \#u{2028}"#
        let answer = try await world.place(world.list(title: title)).json(OrderAnswer.self)
        let response = try await world.client(1).send(.get, path(answer.orderCode))
        let page = response.text
        let token = try #require(page.firstMatch(of: /data-token="([A-Za-z0-9_-]{43})"/)?.1)
        let nonce = try #require(response.headers[.contentSecurityPolicy]?.firstMatch(of: /nonce-([\w-]+)/)?.1)
        #expect(page.matches(of: /<script/).count == 1 && page.matches(of: /<\/script>/).count == 1)
        #expect(!page.contains(#"onfocus=""#) && !page.contains("alert(1)</script>"))
        // The placeholders in the template are replaced; the ones in the title are not.
        #expect(page.components(separatedBy: String(token)) == 2)
        #expect(page.components(separatedBy: String(nonce)) == 3)
        #expect(page.contains("<h1>&#60;/script&#62;&#60;script&#62;alert(1)"))
        #expect(page.contains("&#123;&#123;token&#125;&#125;"))
    }

    @Test(.service) func checkoutPage_isLimitedToOrderer() async throws {
        let code = try await world.order()
        #expect(try await world.client(2).send(.get, path(code)).status.code == 445)
        for unknown in ["ABCD000000", "x", "%00", "%E0%A4%A", "'", String(repeating: "A", count: 3000)] {
            let status = try await world.client(1).send(.get, path(unknown)).status.code
            #expect([400, 404].contains(status), "\(unknown): \(status)")
        }
        #expect(try await world.reader(101).send(.get, path(code)).status.code == 444)
        #expect(try await world.count("checkout_pages") == 0)
        let anonymous = try await world.reopenCheckout(code, cookie: nil)
        #expect(anonymous.status == .unauthorized)
        #expect(anonymous.headers[.contentType] == "text/html; charset=utf-8")
        #expect(anonymous.headers[.cacheControl] == "no-store" && anonymous.headers[.setCookie] == nil)
        #expect(anonymous.text.contains("앱에서") && !anonymous.text.contains("원룸") && !anonymous.text.contains("{{"))
        // The answer does not reveal whether the order exists.
        #expect(try await world.reopenCheckout("ABCD000000", cookie: nil).status == .unauthorized)
        try await world.database.execute("UPDATE people SET withdrawn_at = now() WHERE account_id = 1")
        #expect(try await world.client(1).send(.get, path(code)).status == .unauthorized)
    }

    @Test(.service) func checkoutPage_ofUnpreparedOrder_returns404() async throws {
        let code = try await world.order()
        try await world.database.execute("UPDATE orders SET prepared_at = NULL")
        #expect(try await world.client(1).send(.get, path(code)).status == .notFound)
    }

    @Test(.service) func reopenedPage_isAuthorizedByCookie() async throws {
        let code = try await world.order()
        let opened = try await world.client(1).send(.get, path(code))
        let cookie = try #require(opened.headers[.setCookie])
        #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Lax") && !cookie.contains("Secure"))
        #expect(cookie.contains("; Path=/v1/payments/checkout/") && cookie.contains("Max-Age=4"))
        let pair = String(cookie.prefix { $0 != ";" })
        let back = try await world.reopenCheckout(
            code,
            cookie: "other=1; \(pair)",
            query: "?imp_uid=imp_123456789012&merchant_uid=\(code)&imp_success=true"
        )
        #expect(back.status == .ok && back.text.contains(#"data-payment="imp_123456789012""#))
        // The cookie reopens the same page, so no new token is made.
        #expect(pair.hasSuffix(try #require(back.text.firstMatch(of: /data-token="([A-Za-z0-9_-]{43})"/)?.1)))
        #expect(try await world.count("checkout_pages") == 1)
        let junk = try await world.reopenCheckout(
            code,
            cookie: pair,
            query: "?imp_uid=%22%3E%3Cscript%3E&error_msg=%3Cb%3E"
        )
        #expect(junk.status == .ok && junk.text.contains(#"data-payment="""#) && !junk.text.contains("<b>"))

        // Another order of the same user needs its own page.
        let other = try await world.order()
        #expect(try await world.reopenCheckout(other, cookie: pair).status == .unauthorized)
        let renamed = pair.replacing(code, with: other)
        #expect(try await world.reopenCheckout(other, cookie: renamed).status == .unauthorized)
        for cookie in [
            "checkout-\(code)=", "checkout-\(code)=x", "=;;",
            "checkout-\(code)=\(String(repeating: "A", count: 43))",
        ] { #expect(try await world.reopenCheckout(code, cookie: cookie).status == .unauthorized, "\(cookie)") }
        // The signed-in account takes precedence over the cookie.
        let someone = try await world.client(2).send(.get, path(code), headers: [.cookie: pair])
        #expect(someone.status.code == 445)
    }

    @Test(.service { $0.publicURL = "https://api.example.com" }) func cookie_overTLS_isSecure() async throws {
        let code = try await world.order()
        let opened = try await world.client(1).send(.get, path(code))
        #expect(opened.headers[.setCookie]?.contains("; Secure") == true)
        #expect(opened.text.contains(#"data-address="https://api.example.com/v1/payments/checkout/\#(code)""#))
    }

    @Test(.service) func checkoutPage_expiresOneHourAfterHold() async throws {
        let code = try await world.order()
        let token = try await world.openCheckout(code)
        let cookie = "checkout-\(code)=\(token)"
        world.clock.advance(by: 600 + 3590)
        #expect(try await world.reopenCheckout(code, cookie: cookie).status == .ok)
        world.clock.advance(by: 10)
        #expect(try await world.reopenCheckout(code, cookie: cookie).status == .unauthorized)
        #expect(try await world.askResult(code, token, json: "{}").status == .unauthorized)
        // An expired order has a page as well.
        let later = try await world.openCheckout(code)
        #expect(try await world.count("checkout_pages") == 1)
        #expect(try await world.result(code, later).state == "expired")
    }

    @Test(.service) func withdrawal_deletesCheckoutPages() async throws {
        let code = try await world.order()
        let token = try await world.openCheckout(code)
        let gone = AuthEvents.AccountWithdrawn(account: 1, app: .anlaka)
        #expect(try await world.deliver(gone, from: .auth) == 204)
        #expect(try await world.count("checkout_pages") == 0)
        #expect(try await world.reopenCheckout(code, cookie: "checkout-\(code)=\(token)").status == .unauthorized)
        #expect(try await world.askResult(code, token, json: "{}").status == .unauthorized)
    }

    @Test(.service) func pageToken_isStoredAsHash() async throws {
        let token = try await world.openCheckout(world.order())
        let kept = try await world.database.one("SELECT token_hash FROM checkout_pages") { try $0.decode([UInt8].self) }
        #expect(kept.count == 32 && !kept.elementsEqual(token.utf8))
    }
}

extension String {
    /// The number of parts into which the occurrences of `other` split the text.
    fileprivate func components(separatedBy other: String) -> Int { ranges(of: other).count + 1 }
}
