import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

/// The members of MOUP as other services read them.
@Suite(.database(Migrations.all), .timeLimit(.minutes(2)), .service) struct MOUPMemberRoutesTests {
    private var world: AuthWorld { .current }

    @Test func memberLookup_endsWithWithdrawal() async throws {
        let tokens = try await world.moup(google: "1").tokens
        let me = try world.client(.moup, tokens)
        let account = try await TestDatabase.current.client.one("SELECT account_id FROM moup_members") {
            try $0.decode(AccountID.self)
        }
        let workforce = ServiceClient(world.client, to: .auth, process: .workforce)
        let before = try await workforce.send(.get, AuthAPI.Member.path(account))
        #expect(try before.json(AuthAPI.Member.self) == AuthAPI.Member(nickname: "", image: nil, role: nil))

        let body = #"{"nickname":"하루","role":"ROLE_OWNER"}"#
        #expect(try await me.send(.patch, "/auth/login/register", json: body).status == .ok)
        let member = try await workforce.send(.get, AuthAPI.Member.path(account))
        #expect(try member.json(AuthAPI.Member.self) == AuthAPI.Member(nickname: "하루", image: nil, role: "ROLE_OWNER"))

        #expect(try await me.send(.delete, "/users").status == .ok)
        #expect(try await workforce.send(.get, AuthAPI.Member.path(account)).status == .notFound)
        #expect(
            try await workforce.send(.get, AuthAPI.Member.path(AccountID(rawValue: account.rawValue + 1))).status
                == .notFound
        )
        #expect(try await workforce.send(.get, "/internal/members/0").status == .badRequest)
        // The route is internal, so a client of the app cannot call it.
        #expect(try await me.send(.get, AuthAPI.Member.path(account)).status == .notFound)
    }
}
