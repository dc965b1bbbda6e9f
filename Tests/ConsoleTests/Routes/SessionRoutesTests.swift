import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Console

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct SessionRoutesTests {
    private var world: ConsoleWorld { .current }

    @Test func pages_needASession() async throws {
        let paths = [
            "now", "story", "story/1", "live", "live/room/1", "events", "money", "money/orders/1", "money/differences",
            "money/payslip", "acts", "now/updates", "live/updates",
        ]
        for path in paths {
            for cookie in ["", "madang_console=", "madang_console=x", "other=1; madang_console=\u{1}"] {
                let answer = try await world.program(.gateway)
                    .send(.get, "/internal/console/\(path)", headers: [.cookie: cookie])
                #expect(answer.status == .seeOther && answer.headers[.location] == "/console/sign-in", "\(path)")
            }
        }
        #expect(try await world.post("events/chat/1/retry", [:]).status == .unauthorized)
    }

    /// Programs that look at addresses, such as a chat's preview, use none up.
    @Test func invitation_isUsedByTheFormAlone_andOnce() async throws {
        let token = try await world.invite()
        for _ in 0..<2 {
            let page = try await world.program(.gateway).send(.get, "/internal/console/sign-in?token=\(token)")
            #expect(page.status == .ok && page.text.contains(#"name="token" value="\#(token)""#))
        }
        #expect(try await world.post("sign-in", ["token": token]).status == .seeOther)
        let again = try await world.post("sign-in", ["token": token])
        #expect(again.status == .forbidden && again.headers[.setCookie] == nil)
        #expect(again.text.contains("was used or has expired"))
    }

    @Test func expiredInvitationAndSession_areRefused() async throws {
        let token = try await world.invite()
        try await world.database.execute("UPDATE invitations SET expires_at = now()")
        #expect(try await world.post("sign-in", ["token": token]).status == .forbidden)
        let browser = try await world.browser()
        #expect(try await browser.get("acts").status == .ok)
        try await world.database.execute("UPDATE sessions SET expires_at = now()")
        #expect(try await browser.get("acts").status == .seeOther)
    }

    @Test func tokens_areStoredAsHashesOnly() async throws {
        let token = try await world.invite()
        let browser = try await world.browser()
        let stored = try await world.database.all(
            "SELECT invitations::text FROM invitations UNION ALL SELECT sessions::text FROM sessions"
        ) { try $0.decode(String.self) }.joined()
        #expect(!stored.contains(token))
        #expect(!stored.contains(browser.cookie.split(separator: "=")[1]))
    }

    @Test func otherPage_cannotSignIn_norAct() async throws {
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let token = try await world.invite()
        let foreign = try await world.post("sign-in", ["token": token], headers: [site: "cross-site"])
        #expect(foreign.status == .forbidden)
        let browser = try await world.browser(role: "act")
        for form in ["", "x"] {
            let answer = try await browser.post("events/chat/1/retry", ["reason": "r"], form: form)
            #expect(answer.status == .forbidden && answer.text.contains("not of your session"))
        }
        #expect(try await world.count("acts") == 0)
    }

    @Test func signOut_endsTheSession() async throws {
        let browser = try await world.browser()
        #expect(try await browser.post("sign-out", [:]).status == .seeOther)
        #expect(try await browser.get("now").status == .seeOther)
    }

    @Test func operatorWhoLooks_cannotAct() async throws {
        let browser = try await world.browser(role: "look")
        let answer = try await browser.post("events/chat/1/retry", ["reason": "r"])
        #expect(answer.status == .forbidden && answer.text.contains("Your role may look"))
    }
}
