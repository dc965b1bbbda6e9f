import Synchronization
import Testing

@testable import Sandbox

@Suite(.sandbox) struct PortOneTokensTests {
    private let sandbox = SandboxClient.current

    /// A clock in Unix seconds that a test advances.
    final class Clock: Sendable {
        private let seconds = Mutex(1_700_000_000)

        var now: Int { seconds.withLock(\.self) }

        func pass(_ span: Int) { seconds.withLock { $0 += span } }
    }

    @Test func token_isReused_andExtendedInItsLastMinute() throws {
        let clock = Clock()
        let tokens = PortOneTokens(key: "key", secret: "secret") { clock.now }
        let first = try tokens.token(key: "key", secret: "secret")
        #expect(first.expiredAt == first.now + 1800)

        clock.pass(1740)
        let second = try tokens.token(key: "key", secret: "secret")
        #expect(second.accessToken == first.accessToken)
        #expect(second.now == clock.now)
        #expect(second.expiredAt == first.expiredAt)

        clock.pass(1)
        let third = try tokens.token(key: "key", secret: "secret")
        #expect(third.accessToken == first.accessToken)
        #expect(third.expiredAt == first.expiredAt + 300)

        clock.pass(third.expiredAt - clock.now - 1)
        try tokens.check(first.accessToken)
        clock.pass(1)
        #expect(throws: PortOneError.self) { try tokens.check(first.accessToken) }
        let fourth = try tokens.token(key: "key", secret: "secret")
        #expect(fourth.accessToken != first.accessToken)
        #expect(fourth.expiredAt == clock.now + 1800)
        try tokens.check(fourth.accessToken)
    }

    @Test func token_isIssuedForJSONAndForm() async throws {
        let token = try await sandbox.portOneToken()
        #expect(token.expiredAt == token.now + 1800)
        let form = [
            "imp_key": "madang-development-portone-key", "imp_secret": "madang-development-portone-secret",
        ]
        let again = try await sandbox.post("/portone/users/getToken", form: form)
        #expect(try again.portOne(PortOneAnswer.Token.self).value.accessToken == token.accessToken)
    }

    @Test func shopKey_isConfigurable() async throws {
        try await SandboxClient.run({ ($0.portOneKey, $0.portOneSecret) = ("k", "s") }) { sandbox in
            let own = try await sandbox.post("/portone/users/getToken", json: #"{"imp_key": "k", "imp_secret": "s"}"#)
            #expect(own.status == 200)
            let usual = try await sandbox.post("/portone/users/getToken", json: PortOneShop.credentials)
            #expect(usual.status == 401)
        }
    }

    @Test(arguments: [
        (#"{"imp_key": "x", "imp_secret": "madang-development-portone-secret"}"#, 401, "API"),
        (#"{"imp_key": "madang-development-portone-key", "imp_secret": "x"}"#, 401, "API"),
        (#"{"imp_secret": "x"}"#, 400, "imp_key"),
        (#"{"imp_key": "x"}"#, 400, "imp_secret"),
        (#"{"imp_key": null, "imp_secret": "x"}"#, 400, "imp_key"),
        (#"{"imp_key": {}, "imp_secret": "x"}"#, 400, "imp_key"),
        ("[]", 400, "JSON"),
        ("", 400, "JSON"),
    ])
    func invalidKey_isRefused(json: String, status: Int, word: String) async throws {
        let reply = try await sandbox.post("/portone/users/getToken", json: json)
        #expect(reply.status == status)
        let refusal = try reply.portOne(PortOneAnswer.Token.self)
        #expect(refusal.code == -1)
        #expect(refusal.message?.contains(word) == true)
        #expect(refusal.response == nil)
    }

    @Test func token_isAcceptedWithAndWithoutScheme() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        for authorization in [shop.token, "Bearer \(shop.token)"] {
            let reply = try await shop.sandbox.get("/portone/payments/\(impUid)", authorization: authorization)
            #expect(reply.status == 200)
        }
    }

    @Test(arguments: [nil, "", "Bearer ", "Bearer nonsense", "nonsense"])
    func request_withoutValidToken_returns401(authorization: String?) async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        for path in [impUid, "find/ABCD123456", "findAll/ABCD123456", "status/all", "prepare/ABCD123456"] {
            let reply = try await shop.sandbox.get("/portone/payments/\(path)", authorization: authorization)
            #expect(reply.status == 401, "\(path)")
            #expect(try reply.portOne(PortOneAnswer.Payment.self).code == -1)
        }
        for path in ["cancel", "prepare"] {
            let order = #"{"imp_uid": "\#(impUid)", "merchant_uid": "ABCD123456", "amount": 1000}"#
            let path = "/portone/payments/\(path)"
            let reply = try await shop.sandbox.post(path, json: order, authorization: authorization)
            #expect(reply.status == 401, "\(path)")
        }
        #expect(try await shop.state(impUid).cancelAmount == 0)
    }

    @Test func expiredToken_returns401() async throws {
        let shop = try await PortOneShop()
        #expect(try await shop.sandbox.post("/_control/payments/tokens/expire", json: "").status == 204)
        let reply = try await shop.sandbox.get("/portone/payments/status/all", authorization: shop.token)
        #expect(reply.status == 401)
        let fresh = try await shop.sandbox.portOneToken().accessToken
        #expect(fresh != shop.token)
        #expect(try await shop.sandbox.get("/portone/payments/status/all", authorization: fresh).status == 200)
    }
}
