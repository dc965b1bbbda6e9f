import Authentication
import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct AnlakaAccountTests {
    private var world: AuthWorld { .current }
    private let join = #"{"email":"Haru@Example.com","password":"abcd123!","nick":"하루"}"#

    private func refresh(_ token: String?) async throws -> (Int, TokenPair?) {
        var headers: HTTPFields = [:]
        headers[.init("RefreshToken") ?? .via] = token
        let answer = try await world.anlaka.send(.get, "/v1/auth/refresh", headers: headers)
        return (answer.status.code, try? answer.json(TokenPair.self))
    }

    @Test func member_joinsSignsInAndRefreshes() async throws {
        let free = try await world.anlaka.send(
            .post,
            "/v1/users/validation/email",
            json: #"{"email":"haru@example.com"}"#
        )
        #expect(free.status == .ok)
        #expect(try free.keys() == ["message"])

        let joined = try await world.anlaka.send(.post, "/v1/users/join", json: join)
        #expect(joined.status == .ok)
        #expect(try joined.keys() == ["user_id", "email", "nick", "accessToken", "refreshToken"])
        let account = try joined.json([String: String].self)
        #expect(account["user_id"]?.count == 24)
        #expect(account["email"] == "haru@example.com")

        let login = #"{"email":"HARU@example.com","password":"abcd123!","deviceToken":"d"}"#
        let signedIn = try await world.anlaka.send(.post, "/v1/users/login", json: login)
        #expect(signedIn.status == .ok)
        #expect(try signedIn.json([String: String].self)["user_id"] == account["user_id"])

        let (status, tokens) = try await refresh(try signedIn.json(TokenPair.self).refreshToken)
        #expect(status == 200)
        #expect(tokens != nil)
    }

    @Test func ownProfile_isShown() async throws {
        let join = #"{"email":"a@b.kr","password":"abcd123!","nick":"하루","phoneNum":"010-1234-5678"}"#
        let joined = try await world.anlaka.send(.post, "/v1/users/join", json: join)
        let account = try joined.json(TokenPair.self).claims.account
        let answer = try await ServiceClient(world.client, to: .auth, app: .anlaka, account: account).send(
            .get,
            "/v1/users/me/profile"
        )
        #expect(answer.status == .ok)
        let profile = try answer.json([String: String].self)
        #expect(Set(profile.keys) == ["user_id", "email", "nick", "phoneNum"])
        #expect(profile["phoneNum"] == "010-1234-5678")
        let gone = try await ServiceClient(world.client, to: .auth, app: .anlaka, account: 9999).send(
            .get,
            "/v1/users/me/profile"
        )
        #expect(gone.status == .unauthorized)
        #expect(try await world.anlaka.send(.get, "/v1/users/me/profile").status == .unauthorized)
    }

    @Test func tokens_haveIntegerExpiry() async throws {
        struct Claims: Decodable { var exp: Int }
        let tokens = try await world.anlaka.send(.post, "/v1/users/join", json: join).json(TokenPair.self)
        for token in [tokens.accessToken, tokens.refreshToken] {
            let payload = try #require(Base64URL.decode(token.split(separator: ".")[1].utf8))
            #expect(
                try JSONDecoder().decode(Claims.self, from: Data(payload)).exp > Int(Date.now.timeIntervalSince1970)
            )
        }
    }

    @Test func concurrentJoins_createOneAccount() async throws {
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                group.addTask { try await world.anlaka.send(.post, "/v1/users/join", json: join).status.code }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 409, count: 9))
        let taken = try await world.anlaka.send(
            .post,
            "/v1/users/validation/email",
            json: #"{"email":"HARU@example.com"}"#
        )
        #expect(taken.status == .conflict)
        #expect(try taken.keys() == ["message"])
    }

    @Test func failedLogin_doesNotRevealWhetherAccountExists() async throws {
        _ = try await world.anlaka.send(.post, "/v1/users/join", json: join)
        var bodies: Set<String> = []
        for login in [
            #"{"email":"haru@example.com","password":"wrong123!"}"#,
            #"{"email":"unknown@example.com","password":"abcd123!"}"#,
            #"{"email":"no address","password":"abcd123!"}"#,
        ] {
            let answer = try await world.anlaka.send(.post, "/v1/users/login", json: login)
            #expect(answer.status == .unauthorized)
            bodies.insert(answer.text)
        }
        #expect(bodies.count == 1)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"email":"a@b.kr","password":"abcd123!"}"#,
        #"{"email":"a@b","password":"abcd123!","nick":"n"}"#,
        #"{"email":"a b@c.kr","password":"abcd123!","nick":"n"}"#,
        #"{"email":"a@b.kr","password":"short1!","nick":"n"}"#,
        #"{"email":"a@b.kr","password":"abcdefgh!","nick":"n"}"#,
        #"{"email":"a@b.kr","password":"abcd1234","nick":"n"}"#,
        #"{"email":"a@b.kr","password":"abcd123!한","nick":"n"}"#,
        #"{"email":"a@b.kr","password":"abcd123!","nick":""}"#,
        #"{"email":"a@b.kr","password":"abcd123!","nick":"a.b"}"#,
        #"{"email":"a@b.kr","password":"abcd123!","nick":"a@b"}"#,
        #"{"email":5,"password":"abcd123!","nick":"n"}"#, #"{"email":"a@b.kr\u0000","password":"abcd123!","nick":"n"}"#,
    ])
    func invalidJoin_returns400(body: String) async throws {
        let answer = try await world.anlaka.send(.post, "/v1/users/join", json: body)
        #expect(answer.status == .badRequest)
        #expect(try answer.keys() == ["message"])
        let accounts = try await TestDatabase.current.client.one("SELECT count(*) FROM accounts") {
            try $0.decode(Int.self)
        }
        #expect(accounts == 0)
    }

    @Test func invalidRefreshToken_returns401Or418() async throws {
        let tokens = try await world.anlaka.send(.post, "/v1/users/join", json: join).json(TokenPair.self)
        #expect(try await refresh(nil).0 == 401)
        #expect(try await refresh("junk").0 == 401)
        #expect(try await refresh(tokens.accessToken).0 == 401)
        world.clock.advance(by: 14 * 86_400 + 1)
        #expect(try await refresh(tokens.refreshToken).0 == 418)
    }
}
