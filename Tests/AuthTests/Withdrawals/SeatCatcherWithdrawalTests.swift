import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct SeatCatcherWithdrawalTests {
    private var world: AuthWorld { .current }
    private static let profile =
        #"{"name":"빛나는 코끼리","profileImageNum":"IMAGE_5","tags":["USERTAG_PREGNANT"],"hasOnBoarded":true}"#

    private var database: PostgresClient { TestDatabase.current.client }

    private func refresh(_ tokens: TokenPair) async throws -> Int {
        let body = #"{"refreshToken":"\#(tokens.refreshToken)"}"#
        return try await world.client().send(.post, "/token/refresh", json: body).status.code
    }

    private func validate(_ tokens: TokenPair) async throws -> Int {
        let headers: HTTPFields = [.authorization: "Bearer \(tokens.accessToken)"]
        return try await world.client().send(.get, "/token/validate", headers: headers).status.code
    }

    private func names(of account: AccountID) async throws -> [String] {
        try await database.all("SELECT name FROM outbox WHERE key = \(String(account)) ORDER BY id") {
            try $0.decode(String.self)
        }
    }

    @Test func withdrawal_deletesPersonalDataAndEndsSessions() async throws {
        let (account, tokens) = try await world.signIn(kakao: 1)
        let other = try await world.signIn(kakao: 1).tokens
        let stranger = try await world.signIn(kakao: 2)
        let client = world.client(account: account)
        #expect(try await client.send(.patch, "/user/me", json: Self.profile).status == .ok)
        #expect(try await refresh(tokens) == 201)

        let answer = try await client.send(.delete, "/user/me")
        #expect(answer.status == .noContent)
        #expect(answer.text == "")
        let left = try await database.one(
            """
            SELECT a.nickname || coalesce(a.image, '') || coalesce(a.email, '') || coalesce(a.phone, ''),
                (SELECT count(*) FROM social_links WHERE account_id = a.id)
                + (SELECT count(*) FROM account_tags WHERE account_id = a.id)
                + (SELECT count(*) FROM sessions WHERE account_id = a.id
                   AND (ended_at IS NULL OR successor IS NOT NULL OR device_token IS NOT NULL
                        OR address IS NOT NULL OR user_agent IS NOT NULL))
            FROM accounts a WHERE id = \(account)
            """
        ) { try $0.decode(String.self, Int.self) }
        #expect(left == ("", 0))
        for tokens in [tokens, other] {
            #expect(try await refresh(tokens) == 401)
            #expect(try await validate(tokens) == 401)
        }
        #expect(try await refresh(stranger.tokens) == 201)
        #expect(try await world.client(account: stranger.account).send(.get, "/user/me").status == .ok)
    }

    @Test func withdrawnAccount_returns401() async throws {
        let client = world.client(account: try await world.signIn(kakao: 1).account)
        #expect(try await client.send(.delete, "/user/me").status == .noContent)
        for method in [HTTPRequest.Method.delete, .get, .patch] {
            let answer = try await client.send(method, "/user/me", json: Self.profile)
            #expect(answer.status == .unauthorized)
            #expect(answer.text.contains(#""error":"Invalid Token""#))
            #expect(answer.text.contains(#""code":"INVALID_TOKEN""#))
        }
        let tags = try await database.one("SELECT count(*) FROM account_tags") { try $0.decode(Int.self) }
        #expect(tags == 0)
    }

    /// Whether the link at Kakao is still to be ended.
    private func isLinked(_ account: AccountID) async throws -> Bool {
        try await database.one(
            """
            SELECT count(*) > 0 FROM withdrawal_steps
            WHERE account_id = \(account) AND holder = 'kakao' AND done_at IS NULL
            """
        ) { try $0.decode(Bool.self) }
    }

    @Test func signInAfterWithdrawal_createsNewAccount() async throws {
        let first = try await world.signIn(kakao: 1).account
        _ = try await world.client(account: first).send(.patch, "/user/me", json: Self.profile)
        #expect(try await world.client(account: first).send(.delete, "/user/me").status == .noContent)
        // Kakao revokes its tokens when it ends the link, so a token that was issued before would be invalid.
        while try await isLinked(first) { try await Task.sleep(for: .milliseconds(20)) }
        let second = try await world.signIn(kakao: 1)
        #expect(second.account != first)
        let me = try await world.client(account: second.account).send(.get, "/user/me").text
        #expect(!me.contains("빛나는 코끼리"))
        #expect(me.contains(#""hasOnBoarded":false"#))
        #expect(try await refresh(second.tokens) == 201)
        #expect(try await world.signIn(kakao: 1).account == second.account)
    }

    @Test func appleWithdrawal_allowsNewAccount() async throws {
        var accounts: [AccountID] = []
        for _ in 0..<2 {
            let token = try await world.appleToken(#"{"sub":"001.a"}"#)
            let body = #"{"identityToken":"\#(token)","fcmToken":"f","authorizationCode":"c"}"#
            let answer = try await world.client().send(.post, "/user/authenticate/apple", json: body)
            let account = try answer.json(TokenPair.self).claims.account
            accounts.append(account)
            #expect(try await world.client(account: account).send(.delete, "/user/me").status == .noContent)
        }
        #expect(accounts[0] != accounts[1])
    }

    @Test func concurrentWithdrawals_oneSucceeds() async throws {
        let account = try await world.signIn(kakao: 1).account
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 {
                group.addTask { try await world.client(account: account).send(.delete, "/user/me").status.code }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.sorted() == [204, 401, 401, 401, 401, 401])
        let events = try await names(of: account)
        #expect(events.sorted() == ["auth.account-registered", "auth.account-withdrawn", "auth.session-revoked"])
    }

    /// Signs in, and retries once if the end of the link has revoked the Kakao token.
    private func signIn(kakao id: Int) async throws -> TokenPair {
        do {
            return try await world.signIn(kakao: id).tokens
        } catch is DecodingError {
            return try await world.signIn(kakao: id).tokens
        }
    }

    @Test func concurrentSignIn_neverUsesWithdrawnAccount() async throws {
        for id in 1...8 {
            let first = try await world.signIn(kakao: id).account
            let tokens = try await withThrowingTaskGroup(of: TokenPair?.self) { group in
                group.addTask {
                    _ = try await world.client(account: first).send(.delete, "/user/me")
                    return nil
                }
                for _ in 0..<3 { group.addTask { try await signIn(kakao: id) } }
                return try await group.reduce(into: [TokenPair]()) { if let pair = $1 { $0.append(pair) } }
            }
            #expect(tokens.count == 3)
            for pair in tokens {
                let expected = try pair.claims.account == first ? 401 : 201
                #expect(try await refresh(pair) == expected)
            }
        }
        let alive = try await database.one(
            """
            SELECT count(*) FROM sessions s JOIN accounts a ON a.id = s.account_id
            WHERE a.withdrawn_at IS NOT NULL AND s.ended_at IS NULL
            """
        ) { try $0.decode(Int.self) }
        #expect(alive == 0)
    }

    @Test func unauthenticatedWithdrawal_returns401() async throws {
        let answer = try await world.client().send(.delete, "/user/me")
        #expect(answer.status == .unauthorized)
    }
}
