import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Auth

/// An identity token of Apple can be used once.
@Suite(.database(Migrations.all), .timeLimit(.minutes(2)), .service) struct SpentTokenTests {
    private var world: AuthWorld { .current }

    private func signIn(
        _ token: String,
        from address: String = "203.0.113.7",
        agent: String? = nil
    ) async throws -> Int {
        var headers = HTTPFields()
        headers[.internalClient] = address
        headers[.userAgent] = agent
        let body = #"{"identityToken":"\#(token)","fcmToken":"","authorizationCode":""}"#
        return try await world.client().send(.post, "/user/authenticate/apple", json: body, headers: headers).status
            .code
    }

    @Test func spentToken_isAcceptedFromSameDeviceOnly() async throws {
        let token = try await world.apple(#"{"sub":"1"}"#).identity
        #expect(try await signIn(token, agent: "app/1") == 201)
        #expect(try await signIn(token, agent: "app/1") == 201)
        #expect(try await signIn(token, agent: "app/2") == 401)
        #expect(try await signIn(token) == 401)
        #expect(try await signIn(token, from: "203.0.113.8", agent: "app/1") == 401)
        try await TestDatabase.current.client.execute(
            "UPDATE spent_tokens SET spent_at = now() - interval '61 seconds'"
        )
        #expect(try await signIn(token, agent: "app/1") == 401)
        let next = try await world.apple(#"{"sub":"1"}"#).identity
        #expect(try await signIn(next, from: "203.0.113.8") == 201)
    }

    @Test func reencodedSpentToken_isRefused() async throws {
        let token = try await world.apple(#"{"sub":"1"}"#).identity
        #expect(try await signIn(token) == 201)
        for spelling in [token + "=", token + "==", Data(token.utf8).base64EncodedString()] {
            #expect(try await signIn(spelling, from: "203.0.113.8") == 401)
        }
    }

    @Test func concurrentDevices_oneSpendsToken() async throws {
        let token = try await world.apple(#"{"sub":"1"}"#).identity
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for device in 0..<20 { group.addTask { try await signIn(token, from: "203.0.113.\(device)") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 201 } == 1)
        #expect(statuses.count { $0 == 401 } == 19)
    }

    @Test func spentToken_isAcceptedByOtherApp() async throws {
        let token = try await world.apple(#"{"sub":"1"}"#).identity
        #expect(try await signIn(token) == 201)
        let body = #"{"idToken":"\#(token)"}"#
        #expect(try await world.anlaka.send(.post, "/v1/users/login/apple", json: body).status == .ok)
    }

    @Test func expiredSpentTokens_areDeleted() async throws {
        for sub in ["1", "2"] {
            #expect(try await signIn(world.apple(#"{"sub":"\#(sub)"}"#).identity) == 201)
        }
        let database = TestDatabase.current.client
        try await database.execute(
            """
            UPDATE spent_tokens SET expires_at = now() - interval '1 second'
            WHERE digest = (SELECT min(digest::text)::bytea FROM spent_tokens)
            """
        )
        try await SpentTokenStore().forgetPast(in: database)
        let left = try await database.one("SELECT count(*) FROM spent_tokens") { try $0.decode(Int.self) }
        #expect(left == 1)
    }

    @Test func authorizationCode_yieldsRefreshToken() async throws {
        let made = try await world.apple(#"{"sub":"1"}"#)
        let body = #"{"identityToken":"\#(made.identity)","fcmToken":"","authorizationCode":"\#(made.code)"}"#
        for _ in 0..<2 {
            let answer = try await world.client().send(.post, "/user/authenticate/apple", json: body)
            #expect(answer.status == .created)
        }
        let kept = try await TestDatabase.current.client.one("SELECT refresh_token IS NOT NULL FROM social_links") {
            try $0.decode(Bool.self)
        }
        #expect(kept)
    }
}
