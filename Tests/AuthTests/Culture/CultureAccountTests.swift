import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct CultureAccountTests {
    private var world: AuthWorld { .current }
    private let join = "/v1/users/join"

    private func body(email: String = "haru@example.com", password: String = "password", nick: String = "하루") -> String
    {
        #"{"email":"\#(email)","password":"\#(password)","nick":"\#(nick)"}"#
    }

    private func refresh(_ token: String, header: String = "Refresh") async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[HTTPField.Name(header) ?? .via] = token
        return try await world.culture.send(.get, "/v1/auth/refresh", headers: headers)
    }

    @Test func member_signsInWithReturnedEmail() async throws {
        let email = #"{"email":"Haru@Example.com"}"#
        #expect(try await world.culture.send(.post, "/v1/validation/email", json: email).status == .ok)
        let joined = try await world.culture.send(.post, join, json: body(email: "Haru@Example.com"))
        #expect(joined.status == .ok)
        #expect(try joined.keys() == ["user_id", "email", "nick"])
        #expect(try await Rows.count("SELECT count(*) FROM sessions") == 0)
        let taken = try await world.culture.send(.post, "/v1/validation/email", json: email)
        #expect(taken.status == .conflict)
        #expect(try taken.keys() == ["message"])

        let account = try joined.json([String: String].self)
        let login = #"{"email":"\#(account["email"] ?? "")","password":"password"}"#
        let signedIn = try await world.culture.send(.post, "/v1/users/login", json: login)
        #expect(signedIn.status == .ok)
        #expect(try signedIn.keys() == ["user_id", "email", "nick", "accessToken", "refreshToken"])
        #expect(try signedIn.json([String: String].self)["user_id"] == account["user_id"])
    }

    @Test(arguments: [
        ("", 400), ("{}", 400), (#"{"email":"a@b.kr","password":"password"}"#, 400),
        (#"{"email":"a@b.kr","nick":"n"}"#, 400), (#"{"password":"password","nick":"n"}"#, 400),
        (#"{"email":"","password":"password","nick":"n"}"#, 400),
        (#"{"email":"a@b","password":"password","nick":"n"}"#, 400),
        (#"{"email":"a@b.kr","password":"","nick":"n"}"#, 400),
        (#"{"email":"a@b.kr","password":"1234567","nick":"n"}"#, 400),
        (#"{"email":"a@b.kr","password":"password","nick":""}"#, 400),
        (#"{"email":"a@b.kr","password":"password","nick":"123456789012345678901"}"#, 400),
        (#"{"email":"a@b.kr","password":"password","nick":null}"#, 400),
        (#"{"email":"a@b.kr","password":"password","nick":"a b"}"#, 402),
        (#"{"email":"a@b.kr","password":"password","nick":" a"}"#, 402),
        (#"{"email":"a@b.kr","password":"password","nick":"a\n"}"#, 402),
        (#"{"email":"a@b.kr","password":"password","nick":"\u3000"}"#, 402),
        (#"{"email":"a@b.kr","password":"password","nick":"a\u00a0b"}"#, 402),
    ])
    func invalidJoin_isRefused(body: String, status: Int) async throws {
        let answer = try await world.culture.send(.post, join, json: body)
        #expect(answer.status.code == status)
        #expect(try answer.keys() == ["message"])
        #expect(try await Rows.count("SELECT count(*) FROM accounts") == 0)
    }

    @Test func password_requiresLengthOnly() async throws {
        for (index, password) in ["12345678", "비밀번호가여덟자", "with spaces .,"].enumerated() {
            let json = body(email: "a\(index)@b.kr", password: password, nick: "n\(index)")
            let joined = try await world.culture.send(.post, join, json: json)
            #expect(joined.status == .ok)
            let login = #"{"email":"a\#(index)@b.kr","password":"\#(password)"}"#
            let signedIn = try await world.culture.send(.post, "/v1/users/login", json: login)
            #expect(signedIn.status == .ok)
        }
    }

    @Test func concurrentJoins_keepNicknameAndEmailUnique() async throws {
        let names = ["Haru", "haru", "HARU", "Ｈａｒｕ", "hARu"]
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for (index, name) in (names + names).enumerated() {
                let json = body(email: "a\(index)@b.kr", nick: name)
                group.addTask { try await world.culture.send(.post, join, json: json).status.code }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 409, count: 9))
        #expect(try await Rows.count("SELECT count(*) FROM accounts") == 1)

        let emails = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<8 {
                let json = body(email: "One@b.kr", nick: "n\(index)")
                group.addTask { try await world.culture.send(.post, join, json: json).status.code }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(emails.sorted() == [200] + Array(repeating: 409, count: 7))
        // Another app has its own nicknames.
        _ = try await world.anlakaMember("x@b.kr", nick: "Haru")
        #expect(try await Rows.count("SELECT count(*) FROM accounts WHERE app = 'anlaka'") == 1)
    }

    @Test func withdrawal_releasesNickname() async throws {
        let member = try await world.cultureMember("a@b.kr", nick: "하루")
        #expect(try await world.culture.send(.post, join, json: body(nick: "하루")).status == .conflict)
        #expect(try await member.phone.send(.delete, "/v1/users/me").status == .ok)
        #expect(try await world.culture.send(.post, join, json: body(nick: "하루")).status == .ok)
    }

    @Test func failedLogin_doesNotRevealWhetherAccountExists() async throws {
        _ = try await world.cultureMember("a@b.kr", nick: "n")
        let answers = try await [
            world.culture.send(.post, "/v1/users/login", json: #"{"email":"a@b.kr","password":"password1"}"#),
            world.culture.send(.post, "/v1/users/login", json: #"{"email":"x@b.kr","password":"password"}"#),
        ]
        #expect(answers.map(\.status) == [.unauthorized, .unauthorized])
        #expect(answers[0].text == answers[1].text)
        for login in ["{}", #"{"email":"","password":""}"#] {
            #expect(try await world.culture.send(.post, "/v1/users/login", json: login).status == .badRequest)
        }
    }

    @Test func refresh_keepsRefreshToken() async throws {
        let token = try await world.cultureMember("a@b.kr", nick: "n").tokens.refreshToken
        for header in ["Refresh", "RefreshToken", "Refresh"] {
            let answer = try await refresh(token, header: header)
            #expect(answer.status == .ok)
            #expect(try answer.keys() == ["accessToken"])
        }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await refresh(token).status.code } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 20))
        #expect(try await Rows.count("SELECT generation FROM sessions") == 0)
    }

    @Test func invalidRefreshToken_returns401Or418() async throws {
        let member = try await world.cultureMember("a@b.kr", nick: "n")
        let anlaka = try await world.anlakaMember("a@b.kr")
        #expect(try await world.culture.send(.get, "/v1/auth/refresh").status == .unauthorized)
        for token in ["", "junk", member.tokens.accessToken, anlaka.tokens.refreshToken] {
            #expect(try await refresh(token).status == .unauthorized)
        }
        world.clock.advance(by: 14 * 86_400 + 1)
        #expect(try await refresh(member.tokens.refreshToken).status.code == 418)
    }
}
