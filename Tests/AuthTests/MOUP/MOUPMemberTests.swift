import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(2)), .service) struct MOUPMemberTests {
    private var world: AuthWorld { .current }

    private func error(_ answer: TestResponse) throws -> String? {
        #expect(try answer.keys() == ["errorCode", "errorMessage"])
        return try answer.json([String: String].self)["errorCode"]
    }

    private func register(_ me: ServiceClient, _ body: String) async throws -> TestResponse {
        try await me.send(.patch, "/auth/login/register", json: body)
    }

    @Test(arguments: [
        (#"{"nickname":"하루","role":"ROLE_ADMIN"}"#, 400, "ARGUMENT_400"),
        (#"{"nickname":"하루","role":"WORKER"}"#, 400, "ARGUMENT_400"), (#"{"nickname":"하루"}"#, 400, "ARGUMENT_400"),
        (#"{"nickname":"하루","role":null}"#, 400, "ARGUMENT_400"),
        (#"{"nickname":"하 루","role":"ROLE_WORKER"}"#, 422, "FIELD_422"),
        (#"{"nickname":"","role":"ROLE_WORKER"}"#, 422, "FIELD_422"), (#"{"role":"ROLE_WORKER"}"#, 422, "FIELD_422"),
        ("", 400, "COMMON_400"),
    ])
    func invalidRegistration_returnsErrorCode(body: String, status: Int, code: String) async throws {
        let me = try await world.client(.moup, world.moup(google: "1").tokens)
        let answer = try await register(me, body)
        #expect(answer.status.code == status)
        #expect(try error(answer) == code)
        #expect(try await register(me, #"{"nickname":"하루","role":"ROLE_WORKER"}"#).status == .ok)
    }

    @Test func concurrentRegistrations_oneSucceeds() async throws {
        let me = try await world.client(.moup, world.moup(google: "1").tokens)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<16 {
                let role = index.isMultiple(of: 2) ? "ROLE_WORKER" : "ROLE_OWNER"
                group.addTask { try await register(me, #"{"nickname":"n\#(index)","role":"\#(role)"}"#).status.code }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 409 } == 15)
        let lines = try await TestDatabase.current.client.one(
            "SELECT count(*) FROM audit_log WHERE action = 'profile_changed'"
        ) { try $0.decode(Int.self) }
        #expect(lines == 1)
    }

    @Test func registration_publishesRole() async throws {
        // The outbox deletes an event after its delivery, so a trigger copies each one.
        let database = TestDatabase.current.client
        try await database.execute("CREATE TABLE published (name text, body jsonb)")
        try await database.execute(
            """
            CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql
            AS 'BEGIN INSERT INTO published VALUES (NEW.name, NEW.body); RETURN NULL; END'
            """
        )
        try await database.execute("CREATE TRIGGER tell AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION tell()")
        let me = try await world.client(.moup, world.moup(google: "1").tokens)
        _ = try await register(me, #"{"nickname":"하루","role":"ROLE_OWNER"}"#)
        let published = try await database.all("SELECT name || ' ' || coalesce(body->>'role', '-') FROM published") {
            try $0.decode(String.self)
        }
        #expect(published.contains("auth.account-registered -"))
        #expect(published.contains("auth.profile-changed ROLE_OWNER"))
    }

    @Test func nickname_isUpdated() async throws {
        let tokens = try await world.moup(google: "1").tokens
        let me = try world.client(.moup, tokens)
        #expect(try await me.send(.patch, "/users/nickname", json: #"{"nickname":"먼저"}"#).status == .notFound)
        _ = try await register(me, #"{"nickname":"하루","role":"ROLE_WORKER"}"#)
        let renamed = try await me.send(.patch, "/users/nickname", json: #"{"nickname":"새이름"}"#)
        #expect(renamed.status == .ok)
        #expect(try renamed.keys() == ["userId", "nickname"])
        #expect(try await me.send(.get, "/users/profiles").text.contains("새이름"))
        for body in [#"{"nickname":"ㅋㅋ"}"#, "{}", #"{"nickname":null}"#] {
            let answer = try await me.send(.patch, "/users/nickname", json: body)
            #expect(answer.status == .unprocessableContent)
            #expect(try error(answer) == "FIELD_422")
        }
    }

    @Test(arguments: [nil, "{}", #"{"fcmToken":"f"}"#])
    func logout_endsSession(body: String?) async throws {
        let tokens = try await world.moup(google: "1").tokens
        let me = try world.client(.moup, tokens)
        let answer = try await me.send(.patch, "/users/logout", json: body)
        #expect(answer.status == .ok)
        #expect(answer.text == #"{"userId":\#(try tokens.claims.account)}"#)
        let refresh = #"{"refreshToken":"\#(tokens.refreshToken)"}"#
        let refreshed = try await world.client(.moup).send(.post, "/auth/token/refresh", json: refresh)
        #expect(try error(refreshed) == "AUTH_400")
        #expect(try await me.send(.patch, "/users/logout", json: body).status == .ok)
    }

    @Test func signInAfterWithdrawal_restoresAccount() async throws {
        let tokens = try await world.moup(google: "1").tokens
        let me = try world.client(.moup, tokens)
        _ = try await register(me, #"{"nickname":"하루","role":"ROLE_WORKER"}"#)
        let left = try await me.send(.delete, "/users")
        #expect(left.status == .ok)
        #expect(try left.keys() == ["userId", "deletedAt", "deleted", "isDeleted"])
        for (method, path) in [
            (HTTPRequest.Method.delete, "/users"), (.get, "/users/profiles"), (.patch, "/users/logout"),
            (.patch, "/users/nickname"), (.patch, "/auth/login/register"),
        ] {
            let body = #"{"nickname":"새이름","role":"ROLE_WORKER"}"#
            let answer = try await me.send(method, path, json: body)
            #expect(answer.status == .conflict, "\(path)")
            #expect(try error(answer) == "DELETE_409")
        }
        let refresh = #"{"refreshToken":"\#(tokens.refreshToken)"}"#
        let refreshed = try await world.client(.moup).send(.post, "/auth/token/refresh", json: refresh)
        #expect(try error(refreshed) == "DELETE_409")
        let back = try await world.moup(google: "1")
        #expect(back.status == 200)
        #expect(try await world.client(.moup, back.tokens).send(.get, "/users/profiles").status == .ok)
    }

    @Test func deletionOfOthers_requiresAdminRole() async throws {
        let leaver = try await world.moup(google: "1").tokens
        _ = try await world.client(.moup, leaver).send(.delete, "/users")
        let tokens = try await world.moup(google: "2").tokens
        let me = try world.client(.moup, tokens)
        _ = try await register(me, #"{"nickname":"하루","role":"ROLE_OWNER"}"#)
        for path in ["/admin/users", "/admin/users/immediate"] {
            let answer = try await me.send(.delete, path)
            #expect(answer.status == .forbidden)
            #expect(answer.text.isEmpty)
        }
        let database = TestDatabase.current.client
        try await database.execute(
            "UPDATE moup_members SET role = 'ROLE_ADMIN' WHERE account_id = \(try tokens.claims.account)"
        )
        func isThere() async throws -> Bool {
            try await database.one(
                "SELECT withdrawn_at IS NULL FROM accounts WHERE id = \(try leaver.claims.account)"
            ) { try $0.decode(Bool.self) }
        }
        #expect(try await me.send(.delete, "/admin/users").status == .noContent)
        #expect(try await isThere())
        #expect(try await me.send(.delete, "/admin/users/immediate").status == .noContent)
        #expect(try await !isThere())
        #expect(try await world.moup(google: "2").status == 200)
        let refresh = #"{"refreshToken":"\#(leaver.refreshToken)"}"#
        let refreshed = try await world.client(.moup).send(.post, "/auth/token/refresh", json: refresh)
        #expect(try error(refreshed) == "USER_404")
        let gone = try await world.client(.moup, leaver).send(.get, "/users/profiles")
        #expect(try error(gone) == "USER_404")
    }

    @Test func unauthenticatedRequest_returns401() async throws {
        for (method, path) in [
            (HTTPRequest.Method.get, "/users/profiles"), (.delete, "/users"), (.patch, "/auth/login/register"),
        ] {
            let answer = try await world.client(.moup).send(method, path)
            #expect(answer.status == .unauthorized)
            #expect(answer.text.isEmpty)
        }
    }
}
