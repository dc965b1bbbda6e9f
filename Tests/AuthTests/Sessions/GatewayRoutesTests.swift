import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

/// The requests of gateways: refreshes for a client, first uses of tokens, and revocations of sessions.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct GatewayRoutesTests {
    private var world: AuthWorld { .current }

    private func gateway() -> ServiceClient { ServiceClient(world.client, to: .auth, process: .gateway) }

    private func encoded(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    private func refresh(
        _ token: String,
        app: App = .seatcatcher,
        from address: String = "203.0.113.7",
        by userAgent: String = "App/1"
    ) async throws -> AuthAPI.Refreshed {
        let question = AuthAPI.Refresh(app: app, refreshToken: token, address: address, userAgent: userAgent)
        return try await gateway().send(.post, AuthAPI.Refresh.path, json: encoded(question)).json()
    }

    private func use(_ tokens: AuthAPI.Refreshed.Tokens, _ generation: Int) async throws {
        let uses = AuthAPI.Uses(uses: [AuthAPI.Uses.Use(session: tokens.session, generation: generation)])
        #expect(try await gateway().send(.post, AuthAPI.Uses.path, json: encoded(uses)).status == .noContent)
    }

    private func revocations(after number: Int64, wait: Int = 0) async throws -> AuthAPI.Revocations {
        try await gateway().send(.get, AuthAPI.Revocations.path(after: number, wait: wait)).json()
    }

    @Test func gatewayRefresh_returnsSameTokensUntilUsed() async throws {
        let first = try await world.signIn(kakao: 1).tokens
        let answer = try await refresh(first.refreshToken)
        let tokens = try #require(answer.tokens)
        #expect(answer.refusal == nil)
        #expect(tokens.session == (try first.claims.session))
        #expect(tokens.refreshToken != first.refreshToken)
        #expect(tokens.refreshExpiresAt > Int64(Date.now.timeIntervalSince1970) + 86_400)
        // The tokens are the same for every request from any address until they are used.
        for address in ["203.0.113.7", "198.51.100.9"] {
            #expect(try await refresh(first.refreshToken, from: address).tokens == tokens)
        }
    }

    @Test func stolenToken_usedByGateway_isFoundByOwnersNextRefresh() async throws {
        let first = try await world.signIn(kakao: 1).tokens
        let second = try #require(try await refresh(first.refreshToken).tokens)
        let stolen = try #require(try await refresh(second.refreshToken, from: "192.0.2.66", by: "curl").tokens)
        let notices = try await Rows.events(AuthEvents.SessionUsedElsewhere.self)
        #expect(notices.map(\.session) == [second.session] && notices.map(\.device) == ["curl"])
        // The thief has used the tokens only through silent refreshes, and hours have passed.
        try await TestDatabase.current.client.execute(
            "UPDATE sessions SET rotated_at = rotated_at - interval '5 hours'"
        )
        #expect(try await refresh(second.refreshToken).refusal == .invalid)
        #expect(try await refresh(stolen.refreshToken, from: "192.0.2.66", by: "curl").refusal == .invalid)
    }

    @Test func ownerOfLostAnswer_onAnotherNetwork_staysSignedIn() async throws {
        let first = try await world.signIn(kakao: 1).tokens
        let lost = try #require(try await refresh(first.refreshToken).tokens)
        try await TestDatabase.current.client.execute(
            "UPDATE sessions SET rotated_at = rotated_at - interval '5 hours'"
        )
        let found = try #require(try await refresh(first.refreshToken, from: "198.51.100.9").tokens)
        #expect(found.refreshToken == lost.refreshToken)
        #expect(try await Rows.events(AuthEvents.SessionUsedElsewhere.self).isEmpty)
    }

    @Test func predecessorFromElsewhere_afterSuccessorUse_endsSession() async throws {
        let first = try await world.signIn(kakao: 1).tokens
        let second = try #require(try await refresh(first.refreshToken).tokens)
        try await use(second, 1)
        #expect(try await refresh(first.refreshToken).tokens == second)
        let refused = try await refresh(first.refreshToken, from: "198.51.100.9")
        #expect(refused.refusal == .invalid)
        #expect(refused.ended?.session == second.session && refused.ended?.cause == .ended)
        #expect(try await refresh(second.refreshToken) == AuthAPI.Refreshed(refusal: .invalid))
        let actions = try await TestDatabase.current.client.all("SELECT action FROM audit_log ORDER BY id") {
            try $0.decode(String.self)
        }
        #expect(actions == ["registered", "signed_in", "token_reused"])
    }

    /// A use of a generation that was never issued has no effect.
    @Test func unknownGenerationUse_isIgnored() async throws {
        let first = try await world.signIn(kakao: 1).tokens
        let second = try #require(try await refresh(first.refreshToken).tokens)
        try await use(second, 7)
        let unknown = AuthAPI.Uses(uses: [AuthAPI.Uses.Use(session: "x", generation: 1)])
        #expect(try await gateway().send(.post, AuthAPI.Uses.path, json: encoded(unknown)).status == .noContent)
        #expect(try await refresh(first.refreshToken, from: "198.51.100.9").tokens == second)
    }

    @Test func failedRefresh_returnsReason() async throws {
        let tokens = try await world.signIn(kakao: 1).tokens
        #expect(try await refresh("junk").refusal == .invalid)
        #expect(try await refresh(tokens.accessToken).refusal == .invalid)
        #expect(try await refresh(tokens.refreshToken, app: .moup).refusal == .invalid)
        world.clock.advance(by: 14 * 86_400 + 1)
        #expect(try await refresh(tokens.refreshToken).refusal == .expired)
    }

    @Test func gatewayRefresh_fromClient_returns404() async throws {
        let tokens = try await world.signIn(kakao: 1).tokens
        let body = #"{"app":"seatcatcher","refreshToken":"\#(tokens.refreshToken)"}"#
        #expect(try await world.client().send(.post, AuthAPI.Refresh.path, json: body).status == .notFound)
    }

    @Test func revocations_areReturnedInOrderOnce() async throws {
        #expect(try await revocations(after: 0) == AuthAPI.Revocations(revocations: [], last: 0))
        let (account, first) = try await world.signIn(kakao: 1)
        let other = try await world.signIn(kakao: 2).tokens
        let second = try #require(try await refresh(other.refreshToken).tokens)
        try await use(second, 1)
        _ = try await refresh(other.refreshToken, from: "198.51.100.9")
        let ended = try await revocations(after: 0)
        #expect(ended.revocations.map(\.session) == [try other.claims.session])
        #expect(ended.revocations.map(\.cause) == [.ended])
        #expect(ended.revocations[0].until > Int64(Date.now.timeIntervalSince1970) + 1700)

        #expect(try await world.client(account: account).send(.delete, "/user/me").status == .noContent)
        let withdrawn = try await revocations(after: ended.last)
        #expect(withdrawn.revocations.map(\.session) == [try first.claims.session])
        #expect(withdrawn.revocations.map(\.cause) == [.withdrawn])
        #expect(try await revocations(after: withdrawn.last).revocations == [])
        // A number that this database never issued belongs to another database.
        #expect(try await revocations(after: 1000).revocations.count == 2)
    }

    @Test func revocationRequest_waitsForNextRevocation() async throws {
        let account = try await world.signIn(kakao: 1).account
        async let answer = revocations(after: 0, wait: 9)
        try await Task.sleep(for: .milliseconds(50))
        #expect(try await world.client(account: account).send(.delete, "/user/me").status == .noContent)
        #expect(try await answer.revocations.count == 1)
    }
}
