import Contracts
import Crypto
import FoundationEssentials
import ServiceKit
import TestKit
import Testing

@testable import Auth

@Suite(.timeLimit(.minutes(1))) struct AppleClientTests {
    private var world: ProviderWorld { .current }

    private func tokens(_ world: ProviderWorld, _ fields: String) async throws -> (identity: String, code: String) {
        let made = try await world.control("apple/tokens", fields)
        return (made["identity_token"] ?? "", made["authorization_code"] ?? "")
    }

    @Test(.providers) func authorizationCode_yieldsIdentityAndRefreshToken() async throws {
        let code = try await tokens(world, #"{"sub":"001.a","email":"A@example.com"}"#).code
        let identity = try await world.apple.identity(code: code, app: .moup)
        #expect(identity.subject == "001.a")
        #expect(identity.email?.text == "a@example.com")
        let refresh = try #require(identity.refreshToken)

        try await world.apple.revoke(refreshToken: refresh, app: .moup)
        try await world.apple.revoke(refreshToken: refresh, app: .moup)
        try await world.apple.revoke(refreshToken: "unknown", app: .moup)
        #expect(
            try await world.sandbox.requests(to: "apple").suffix(3)
                == Array(repeating: "POST /auth/revoke", count: 3)[...]
        )
    }

    @Test(.providers) func invalidAuthorizationCode_isRefused() async throws {
        let code = try await tokens(world, #"{"sub":"1"}"#).code
        _ = try await world.apple.identity(code: code, app: .moup)
        let late = try await tokens(world, #"{"sub":"1","expired":true}"#).code
        let foreign = try await tokens(world, #"{"sub":"1","aud":"com.example.other"}"#).code
        for refused in [code, late, foreign, "", "x&client_id=y"] {
            await #expect(throws: AccountError.socialTokenRefused) {
                try await world.apple.identity(code: refused, app: .moup)
            }
        }
    }

    @Test func clientIDs_areSeparatePerApp() async throws {
        let ids = try #require(AppIDs(parsing: "moup=com.m, withsuhyeon=com.w, withsuhyeon=com.w2"))
        try await ProviderWorld.test({ $0.appleAudiences = ids }) { world in
            for (aud, apps) in [("com.m", [App.moup]), ("com.w", [.withsuhyeon]), ("com.w2", [.withsuhyeon])] {
                for app in [App.moup, .withsuhyeon, .anlaka] {
                    let made = try await tokens(world, #"{"sub":"1","aud":"\#(aud)"}"#)
                    let byCode = try? await world.apple.identity(code: made.code, app: app)
                    let byToken = try? await world.apple.identity(
                        identityToken: made.identity,
                        app: app,
                        nonce: .notSent
                    )
                    #expect((byCode != nil) == apps.contains(app), "\(aud) \(app)")
                    #expect((byToken != nil) == apps.contains(app), "\(aud) \(app)")
                }
            }
        }
    }

    @Test(
        .providers,
        arguments: [
            (nil, Nonce.sent(nil), true), (nil, .sent("anything"), true), (nil, .notSent, true), ("n", .notSent, true),
            ("n", .sent("n"), true), (Self.digest, .sent("n"), true), ("n", .sent("m"), false),
            ("n", .sent(nil), false),
            ("n", .sent(""), false), (Self.digest, .sent("m"), false),
        ]
    )
    func nonce_bindsTokenToRequest(stated: String?, sent: Nonce, isGood: Bool) async throws {
        let nonce = stated.map { #","nonce":"\#($0)""# } ?? ""
        let token = try await tokens(world, #"{"sub":"1"\#(nonce)}"#).identity
        let identity = try? await world.apple.identity(identityToken: token, app: .seatcatcher, nonce: sent)
        #expect((identity != nil) == isGood)
    }

    private static let digest = SHA256.hash(data: Array("n".utf8))
        .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()

    @Test(.providers) func refusedCode_doesNotInvalidateIdentityToken() async throws {
        let apple = world.apple
        let made = try await tokens(world, #"{"sub":"1"}"#)
        func identity(_ code: String) async throws -> SocialIdentity {
            try await apple.identity(identityToken: made.identity, app: .seatcatcher, nonce: .sent(nil), code: code)
        }
        #expect(try await identity("c").refreshToken == nil)
        #expect(try await identity("").refreshToken == nil)
        #expect(try await identity(Data(made.code.utf8).base64EncodedString()).refreshToken != nil)
        #expect(try await identity(made.code).refreshToken == nil)
        _ = try await world.control("faults", #"{"provider":"apple","kind":"http","count":1}"#)
        let other = try await tokens(world, #"{"sub":"1"}"#).code
        #expect(try await identity(other).subject == "1")
    }

    @Test func appleOutageOrMissingTeam_throwsProviderUnavailable() async throws {
        try await ProviderWorld.test { world in
            let made = try await tokens(world, #"{"sub":"1"}"#)
            for status in [500, 503, 429] {
                _ = try await world.control(
                    "faults",
                    #"{"provider":"apple","kind":"http","status":\#(status),"count":1}"#
                )
                await #expect(throws: ProviderUnavailable(provider: "Apple")) {
                    try await world.apple.identity(code: made.code, app: .moup)
                }
                _ = try await world.control("faults", #"{"provider":"apple","kind":"http","count":1}"#)
                await #expect(throws: ProviderUnavailable(provider: "Apple")) {
                    try await world.apple.revoke(refreshToken: "r", app: .moup)
                }
            }
            _ = try await world.apple.identity(code: made.code, app: .moup)
        }
        try await ProviderWorld.test({ $0.appleTeamID = "" }) { world in
            let made = try await tokens(world, #"{"sub":"1"}"#)
            await #expect(throws: ProviderUnavailable(provider: "Apple")) {
                try await world.apple.identity(code: made.code, app: .moup)
            }
        }
    }

    @Test(.providers) func unavailableKeys_throwProviderUnavailable() async throws {
        let made = try await tokens(world, #"{"sub":"1"}"#)
        _ = try await world.control("faults", #"{"provider":"apple","kind":"http","count":1}"#)
        let apple = world.apple
        await #expect(throws: ProviderUnavailable(provider: "Apple")) {
            try await apple.identity(identityToken: made.identity, app: .anlaka, nonce: .notSent)
        }
        let identity = try await apple.identity(identityToken: made.identity, app: .anlaka, nonce: .notSent)
        #expect(identity.subject == "1")
        #expect(try #require(identity.spent).expiresAt > .now)
    }
}
