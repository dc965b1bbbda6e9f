import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct CultureWithdrawalTests {
    private var world: AuthWorld { .current }
    private let withdraw = "/v1/users/withdraw"

    @Test(arguments: [HTTPRequest.Method.get, .post, .delete])
    func withdrawal_endsSessionsAndAccount(method: HTTPRequest.Method) async throws {
        let member = try await world.cultureMember("a@b.kr", nick: "하루")
        let path = method == .get ? withdraw : "/v1/users/me"
        let left = try await member.phone.send(method, path)
        #expect(left.status == .ok)
        #expect(try left.json([String: String].self) == ["user_id": member.id, "email": "a@b.kr", "nick": "하루"])
        #expect(left.headers[.cacheControl] == "no-store")
        #expect([401, 403].contains(try await member.phone.send(method, path).status.code))
        #expect(try await member.phone.send(.get, "/v1/users/me/profile").status == .unauthorized)
        let refreshed = try await world.culture.send(
            .get,
            "/v1/auth/refresh",
            headers: [HTTPField.Name("Refresh") ?? .via: member.tokens.refreshToken]
        )
        #expect(refreshed.status == .forbidden)
        let login = #"{"email":"a@b.kr","password":"password"}"#
        #expect(try await world.culture.send(.post, "/v1/users/login", json: login).status == .unauthorized)
        #expect(try await Rows.events(AuthEvents.AccountWithdrawn.self).map(\.account) == [member.account])
    }

    @Test(arguments: [
        ("Purpose", "prefetch"), ("Sec-Purpose", "prefetch;prerender"), ("X-Moz", "prefetch"), ("X-Purpose", "preview"),
    ])
    func prefetchedWithdrawal_returns403(name: String, value: String) async throws {
        let member = try await world.cultureMember("a@b.kr", nick: "하루")
        let headers: HTTPFields = [HTTPField.Name(name) ?? .via: value]
        let answer = try await member.phone.send(.get, withdraw, headers: headers)
        #expect(answer.status == .forbidden)
        #expect(try answer.keys() == ["message"])
        #expect(try await member.phone.send(.get, "/v1/users/me/profile").status == .ok)
    }

    @Test func withdrawal_requiresRecentlyVerifiedSession() async throws {
        let member = try await world.cultureMember("a@b.kr", nick: "하루")
        let database = TestDatabase.current.client
        try await database.execute("UPDATE sessions SET created_at = now() - interval '31 minutes'")
        #expect(try await member.phone.send(.get, withdraw).status == .forbidden)
        let other = ServiceClient(world.client, to: .auth, app: .culture, account: member.account, session: "none")
        #expect(try await other.send(.get, withdraw).status == .forbidden)
        let refreshed = try await world.culture.send(
            .get,
            "/v1/auth/refresh",
            headers: [HTTPField.Name("Refresh") ?? .via: member.tokens.refreshToken]
        )
        #expect(refreshed.status == .ok)
        #expect(try await member.phone.send(.get, withdraw).status == .ok)
    }
}
