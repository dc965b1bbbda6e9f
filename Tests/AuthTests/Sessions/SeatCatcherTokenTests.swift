import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct SeatCatcherTokenTests {
    private var world: AuthWorld { .current }

    private func refresh(_ token: String) async throws -> (Int, TokenPair?) {
        let answer = try await world.client().send(.post, "/token/refresh", json: #"{"refreshToken":"\#(token)"}"#)
        return (answer.status.code, try? answer.json(TokenPair.self))
    }

    private func validate(_ header: String?) async throws -> (Int, String) {
        var headers: HTTPFields = [:]
        headers[.authorization] = header
        let answer = try await world.client().send(.get, "/token/validate", headers: headers)
        return (answer.status.code, answer.text)
    }

    @Test func refresh_rotatesTokens() async throws {
        var tokens = try await world.signIn(kakao: 1).tokens
        let session = try tokens.claims.session
        for _ in 0..<5 {
            let (status, next) = try await refresh(tokens.refreshToken)
            #expect(status == 201)
            let successor = try #require(next)
            #expect(successor.refreshToken != tokens.refreshToken)
            #expect(successor.accessToken != tokens.accessToken)
            #expect(try successor.claims.session == session)
            tokens = successor
        }
    }

    @Test func concurrentRefreshes_returnSameTokens() async throws {
        let tokens = try await world.signIn(kakao: 1).tokens
        let answers = try await withThrowingTaskGroup(of: (Int, TokenPair?).self) { group in
            for _ in 0..<10 { group.addTask { try await refresh(tokens.refreshToken) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.0 == 201 })
        #expect(Set(answers.compactMap { $0.1?.refreshToken }).count == 1)
        #expect(Set(answers.compactMap { $0.1?.accessToken }).count == 1)
    }

    @Test func tokenTwoGenerationsOld_endsSession() async throws {
        let first = try await world.signIn(kakao: 1).tokens
        let second = try #require(try await refresh(first.refreshToken).1)
        let third = try #require(try await refresh(second.refreshToken).1)
        let presented = #"{"refreshToken":"\#(first.refreshToken)"}"#
        let refused = try await world.client().send(.post, "/token/refresh", json: presented)
        #expect(refused.status == .unauthorized)
        // The gateway that passes the refusal refuses the session's tokens.
        let ended = refused.headers[.sessionEnd].map(AuthAPI.Revocations.revocations)
        #expect(ended?.map(\.session) == [try first.claims.session])
        #expect(try await refresh(third.refreshToken).0 == 401)
        #expect(try await validate("Bearer \(third.accessToken)") == (401, "Expired"))
        let reason = try await TestDatabase.current.client.one("SELECT end_reason FROM sessions") {
            try $0.decode(String.self)
        }
        #expect(reason == "reused")
    }

    @Test func reuse_keepsOtherSessions() async throws {
        let stolen = try await world.signIn(kakao: 1).tokens
        let other = try await world.signIn(kakao: 1).tokens
        let second = try #require(try await refresh(stolen.refreshToken).1)
        _ = try await refresh(second.refreshToken)
        #expect(try await refresh(stolen.refreshToken).0 == 401)
        #expect(try await refresh(other.refreshToken).0 == 201)
    }

    @Test func family_expiresDespiteRefreshes() async throws {
        let first = try await world.signIn(kakao: 1).tokens
        world.clock.advance(by: 10 * 86_400)
        let second = try #require(try await refresh(first.refreshToken).1)
        world.clock.advance(by: 4 * 86_400 + 1)
        #expect(try await refresh(second.refreshToken).0 == 401)
    }

    @Test func invalidRefreshToken_isRefused() async throws {
        let tokens = try await world.signIn(kakao: 1).tokens
        for junk in [
            "", "junk", "a.b.c", tokens.accessToken, tokens.refreshToken + "x", String(repeating: "a", count: 9000),
        ] { #expect(try await refresh(junk).0 == 401) }
        #expect(try await world.client().send(.post, "/token/refresh", json: "{}").status == .unauthorized)
        let null = try await world.client().send(.post, "/token/refresh", json: #"{"refreshToken":null}"#)
        #expect(null.status == .unauthorized)
        #expect(try await world.client().send(.post, "/token/refresh", json: "{").status == .badRequest)
        #expect(try await refresh(tokens.refreshToken).0 == 201)
    }

    @Test func validation_acceptsAccessTokensOnly() async throws {
        let tokens = try await world.signIn(kakao: 1).tokens
        #expect(try await validate("Bearer \(tokens.accessToken)") == (200, "Valid"))
        #expect(try await validate("Bearer \(tokens.refreshToken)") == (401, "Expired"))
        #expect(try await validate("Bearer ") == (401, "Expired"))
        #expect(try await validate("Bearer junk") == (401, "Expired"))
        #expect(try await validate(tokens.accessToken).0 == 400)
        #expect(try await validate(nil).0 == 400)
    }

    @Test func tokenOfOtherApp_isRefused() async throws {
        let join = #"{"email":"a@b.kr","password":"abcd123!","nick":"n"}"#
        let anlaka = try await world.anlaka.send(.post, "/v1/users/join", json: join).json(TokenPair.self)
        #expect(try await validate("Bearer \(anlaka.accessToken)") == (401, "Expired"))
        #expect(try await refresh(anlaka.refreshToken).0 == 401)
    }
}
