import Contracts
import ServiceKit
import TestKit
import Testing

@testable import Auth

@Suite(.timeLimit(.minutes(1)), .providers) struct GoogleClientTests {
    private var world: ProviderWorld { .current }

    private func code(_ fields: String) async throws -> String {
        try await world.control("google/codes", fields)["authorization_code"] ?? ""
    }

    @Test func authorizationCode_yieldsIdentityAndRefreshTokenOnce() async throws {
        let google = world.google
        let fields = #"{"sub":"7","email":"a@example.com","name":"하루"}"#
        let first = try await google.identity(code: code(fields), app: .moup)
        #expect(first.provider == .google)
        #expect(first.subject == "7")
        #expect(first.email?.text == "a@example.com")
        #expect(first.name == "하루")
        #expect(try await google.identity(code: code(fields), app: .moup).refreshToken == nil)

        let refresh = try #require(first.refreshToken)
        try await google.revoke(token: refresh)
        try await google.revoke(token: refresh)
        #expect(try await google.identity(code: code(fields), app: .moup).refreshToken != nil)
    }

    @Test func invalidAuthorizationCode_isRefused() async throws {
        let once = try await code(#"{"sub":"1"}"#)
        _ = try await world.google.identity(code: once, app: .moup)
        let late = try await code(#"{"sub":"1","expired":true}"#)
        let foreign = try await code(#"{"sub":"1","aud":"com.example.other"}"#)
        for refused in [once, late, foreign, "", "4/unknown"] {
            await #expect(throws: AccountError.socialTokenRefused) {
                try await world.google.identity(code: refused, app: .moup)
            }
        }
    }

    @Test func googleOutage_throwsProviderUnavailable() async throws {
        let once = try await code(#"{"sub":"1"}"#)
        for _ in 0..<2 {
            _ = try await world.control("faults", #"{"provider":"google","kind":"http","count":1}"#)
            await #expect(throws: ProviderUnavailable(provider: "Google")) {
                try await world.google.identity(code: once, app: .moup)
            }
        }
        _ = try await world.control("faults", #"{"provider":"google","kind":"http","count":1}"#)
        await #expect(throws: ProviderUnavailable(provider: "Google")) { try await world.google.revoke(token: "r") }
        #expect(try await world.google.identity(code: once, app: .moup).subject == "1")
    }
}
