import FoundationEssentials
import NIOHTTP1
import TestKit
import Testing

@testable import Auth

/// MOUP's account calls as its client makes them, through the gateway.
@Suite(.timeLimit(.minutes(8))) struct MOUPJourneyTests {
    private struct Login: Decodable {
        var role: String?
        var accessToken: String
        var refreshToken: String
    }

    private func login(_ platform: Platform, _ provider: String) async throws -> Wire.Answer {
        let code =
            provider == "GOOGLE"
            ? try await platform.control("google/codes", #"{"sub":"7","name":"김하루"}"#)["authorization_code"]
            : try await platform.control("apple/tokens", #"{"sub":"7"}"#)["authorization_code"]
        let body = #"{"provider":"LOGIN_\#(provider)","authCode":"\#(code ?? "")","username":"","fcmToken":"f"}"#
        return try await platform.send(.POST, "/auth/login", json: body)
    }

    @Test(arguments: ["GOOGLE", "APPLE"])
    func member_signsUpWithdrawsAndReturns(provider: String) async throws {
        try await Platform.test { platform in
            let first = try await login(platform, provider)
            #expect(first.status == 201)
            #expect(first.headers.first(name: "location")?.hasPrefix("http://") == true)
            let token = try first.value(Login.self).accessToken
            #expect(try first.value(Login.self).role == nil)

            let register = #"{"nickname":"하루","role":"ROLE_WORKER"}"#
            let open = try await platform.send(.PATCH, "/auth/login/register", json: register)
            #expect(open.status == 401)
            #expect(open.body.isEmpty)
            let registered = try await platform.send(.PATCH, "/auth/login/register", token: token, json: register)
            #expect(registered.status == 200)
            #expect(registered.body.contains("ROLE_WORKER"))
            #expect(
                try await platform.send(.PATCH, "/auth/login/register", token: token, json: register).status == 409
            )

            let again = try await login(platform, provider)
            #expect(again.status == 200)
            #expect(try again.value(Login.self).role == "ROLE_WORKER")
            let tokens = try again.value(TokenPair.self)
            let refresh = #"{"refreshToken":"\#(tokens.refreshToken)"}"#
            let refreshed = try await platform.send(.POST, "/auth/token/refresh", json: refresh)
            #expect(refreshed.status == 200)
            let fresh = try refreshed.value(TokenPair.self)
            let me = try await platform.send(.GET, "/users/profiles", token: fresh.accessToken)
            #expect(me.status == 200)
            #expect(me.body.contains("하루"))

            #expect(try await platform.send(.DELETE, "/users", token: fresh.accessToken).status == 200)
            var late = try await platform.send(.GET, "/users/profiles", token: fresh.accessToken)
            while late.status == 200 {
                try await Task.sleep(for: .milliseconds(20))
                late = try await platform.send(.GET, "/users/profiles", token: fresh.accessToken)
            }
            #expect(late.status == 409)
            #expect(late.body.contains("DELETE_409"))
            let back = try await login(platform, provider)
            #expect(back.status == 200)
            let returned = try back.value(TokenPair.self).accessToken
            #expect(try await platform.send(.GET, "/users/profiles", token: returned).status == 200)
        }
    }

    @Test func signOut_revokesTokens() async throws {
        try await Platform.test { platform in
            let tokens = try await login(platform, "GOOGLE").value(TokenPair.self)
            let out = try await platform.send(.PATCH, "/users/logout", token: tokens.accessToken)
            #expect(out.status == 200)
            let refresh = #"{"refreshToken":"\#(tokens.refreshToken)"}"#
            let refreshed = try await platform.send(.POST, "/auth/token/refresh", json: refresh)
            #expect(refreshed.status == 400)
            #expect(refreshed.body.contains("AUTH_400"))
            var late = try await platform.send(.GET, "/users/profiles", token: tokens.accessToken)
            while late.status == 200 {
                try await Task.sleep(for: .milliseconds(20))
                late = try await platform.send(.GET, "/users/profiles", token: tokens.accessToken)
            }
            #expect(late.status == 401)
            #expect(late.body.isEmpty)
        }
    }

    @Test func authenticationErrors_returnMOUPsCodes() async throws {
        try await Platform.test { platform in
            try await platform.fault("google", count: 1)
            let down = try await login(platform, "GOOGLE")
            #expect(down.status == 503)
            #expect(down.body.contains("errorCode"))
            let refused = #"{"provider":"LOGIN_APPLE","authCode":"x"}"#
            let answer = try await platform.send(.POST, "/auth/login", json: refused)
            #expect(answer.status == 401)
            #expect(answer.body.contains("AUTH_401"))
            let token = try await login(platform, "GOOGLE").value(TokenPair.self).accessToken
            let admin = #"{"nickname":"하루","role":"ROLE_ADMIN"}"#
            let promoted = try await platform.send(.PATCH, "/auth/login/register", token: token, json: admin)
            #expect(promoted.status == 400)
            #expect(promoted.body.contains("ARGUMENT_400"))
            let purge = try await platform.send(.DELETE, "/admin/users/immediate", token: token)
            #expect(purge.status == 403)
            #expect(purge.body.isEmpty)
        }
    }
}
