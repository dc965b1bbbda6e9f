import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Auth

/// Users list, name and end their sessions.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct SessionRoutesTests {
    private var world: AuthWorld { .current }

    private struct Listed: Decodable {
        struct Session: Decodable, Equatable {
            var sessionId: String
            var name: String?
            var device: String?
            var address: String?
            var createdAt: String
            var lastSeenAt: String
            var current: Bool
        }

        var sessions: [Session]
    }

    private static let path = "/user/me/sessions"

    private func client(_ account: AccountID, _ tokens: TokenPair) throws -> ServiceClient {
        ServiceClient(world.client, to: .auth, app: .seatcatcher, account: account, session: try tokens.claims.session)
    }

    private func sessions(_ phone: ServiceClient) async throws -> [Listed.Session] {
        try await phone.send(.get, Self.path).json(Listed.self).sessions
    }

    private func actions() async throws -> [String] {
        try await TestDatabase.current.client.all("SELECT action FROM audit_log ORDER BY id") {
            try $0.decode(String.self)
        }
    }

    @Test func sessionList_showsOwnSessionsNewestFirst() async throws {
        let (account, first) = try await world.signIn(kakao: 1)
        let second = try await world.signIn(kakao: 1).tokens
        _ = try await world.signIn(kakao: 2)
        let listed = try await sessions(client(account, first))
        #expect(listed.map(\.sessionId) == [try second.claims.session, try first.claims.session])
        #expect(listed.map(\.current) == [false, true])
        #expect(listed[0].address == "203.0.113.7")
        #expect(listed[0].createdAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }

    @Test func sessionName_canBeSetForOwnSessionsOnly() async throws {
        let (account, tokens) = try await world.signIn(kakao: 1)
        let other = try await world.signIn(kakao: 2).tokens
        let mine = try client(account, tokens)
        let own = "\(Self.path)/\(try tokens.claims.session)"
        let named = try await mine.send(.patch, own, json: #"{"name":"내 아이폰"}"#)
        #expect(named.status == .ok)
        #expect(try named.json(Listed.Session.self).name == "내 아이폰")
        #expect(try await sessions(mine).map(\.name) == ["내 아이폰"])
        #expect(try await mine.send(.patch, own, json: #"{"name":"  "}"#).json(Listed.Session.self).name == nil)

        let foreign = "\(Self.path)/\(try other.claims.session)"
        #expect(try await mine.send(.patch, foreign, json: #"{"name":"x"}"#).status == .notFound)
        let long = String(repeating: "가", count: 51)
        for body in [#"{"name":"\#(long)"}"#, #"{"name":"a\u0007"}"#, "{}", #"{"name":1}"#] {
            #expect(try await mine.send(.patch, own, json: body).status == .badRequest)
        }
    }

    @Test func sessionDeletion_isIdempotent() async throws {
        let (account, tokens) = try await world.signIn(kakao: 1)
        let lost = try await world.signIn(kakao: 1).tokens
        let foreign = try await world.signIn(kakao: 2).tokens
        let mine = try client(account, tokens)
        for _ in 0..<2 {
            let ended = try await mine.send(.delete, "\(Self.path)/\(try lost.claims.session)")
            #expect(ended.status == .noContent)
        }
        for unknown in [try foreign.claims.session, "x", "%00"] {
            #expect(try await mine.send(.delete, "\(Self.path)/\(unknown)").status == .notFound)
        }
        #expect(try await sessions(mine).map(\.sessionId) == [try tokens.claims.session])
        let refused = #"{"refreshToken":"\#(lost.refreshToken)"}"#
        #expect(try await world.client().send(.post, "/token/refresh", json: refused).status == .unauthorized)
        #expect(try await actions().filter { $0 == "session_revoked" }.count == 1)
    }

    @Test func bulkDeletion_endsOtherOrAllSessions() async throws {
        let (account, tokens) = try await world.signIn(kakao: 1)
        for _ in 0..<3 { _ = try await world.signIn(kakao: 1) }
        let mine = try client(account, tokens)
        #expect(try await mine.send(.delete, Self.path).status == .noContent)
        #expect(try await sessions(mine).map(\.current) == [true])
        #expect(try await mine.send(.delete, "\(Self.path)?includeCurrent=true").status == .noContent)
        #expect(try await sessions(mine).isEmpty)
        #expect(try await actions().filter { $0 == "session_revoked" }.count == 4)
    }

    private static let withdrawals: [App: String] = [
        .seatcatcher: "/user/me", .moup: "/users", .anlaka: "/v1/users/me", .culture: "/v1/users/me",
        .withsuhyeon: "/api/v1/auth/withdraw",
    ]

    /// The gateway that passes the answer refuses the tokens of the sessions that it names.
    @Test(arguments: App.allCases) func answer_namesAllSessionsThatItEnds(_ app: App) async throws {
        let pairs = try await tokens(app, count: 4)
        // Those that joining has opened as well.
        let all = try await Set(
            TestDatabase.current.client.all("SELECT id FROM sessions") { try $0.decode(String.self) }
        )
        func ended(by request: String, _ path: String) async throws -> [AuthAPI.Revocations.Revocation] {
            let answer = try await world.client(app, pairs[0]).send(.delete, path)
            #expect(answer.status.kind == .successful, "\(request): \(answer.text)")
            return answer.headers[.sessionEnd].map(AuthAPI.Revocations.revocations) ?? []
        }
        let sessions = Self.paths[app] ?? Self.path
        let own = try pairs[0].claims.session
        let others = try await ended(by: "other sessions", sessions)
        #expect(Set(others.map(\.session)) == all.subtracting([own]) && others.allSatisfy { $0.cause == .ended })
        #expect(try await ended(by: "no other session", sessions).isEmpty)
        let withdrawn = try await ended(by: "withdrawal", try #require(Self.withdrawals[app]))
        #expect(withdrawn.map(\.session) == [own])
        #expect(withdrawn.map(\.cause) == [world.domain.withdrawal.grace(app) == 0 ? .withdrawn : .leaving])
    }

    private static let paths: [App: String] = [
        .moup: "/users/sessions", .anlaka: "/v1/users/me/sessions", .culture: "/v1/users/me/sessions",
        .withsuhyeon: "/api/v1/auth/sessions",
    ]

    /// Signs a user of an app in several times.
    private func tokens(_ app: App, count: Int) async throws -> [TokenPair] {
        var pairs: [TokenPair] = []
        for _ in 0..<count {
            switch app {
            case .seatcatcher: pairs.append(try await world.signIn(kakao: 1).tokens)
            case .moup: pairs.append(try await world.moup(google: "1").tokens)
            case .withsuhyeon:
                let number = "01012345678"
                if !pairs.isEmpty { try await world.prove(number, flow: "signin") }
                pairs.append(try await pairs.isEmpty ? world.companion(number) : world.signIn(phone: number))
            case .anlaka, .culture:
                let body = #"{"email":"a@example.com","password":"abcd123!","nick":"하루"}"#
                let client = try world.client(app)
                if pairs.isEmpty { _ = try await client.send(.post, "/v1/users/join", json: body) }
                pairs.append(try await client.send(.post, "/v1/users/login", json: body).json())
            }
        }
        return pairs
    }

    @Test(arguments: paths.keys.sorted { $0.rawValue < $1.rawValue })
    func everyApp_namesAndEndsSessions(_ app: App) async throws {
        let path = try #require(Self.paths[app])
        let pairs = try await tokens(app, count: 3)
        let phone = try world.client(app, pairs[0])
        let before = try await phone.send(.get, path).text.matches(of: /"sessionId"/).count
        let (own, lost) = (try pairs[0].claims.session, try pairs[1].claims.session)
        let named = try await phone.send(.patch, "\(path)/\(own)", json: #"{"name":"내 아이폰"}"#)
        #expect(named.status == .ok && named.text.contains("내 아이폰"), "\(named.text)")
        #expect(try await phone.send(.delete, "\(path)/\(lost)").status.kind == .successful)
        #expect(try await phone.send(.get, path).text.matches(of: /"sessionId"/).count == before - 1)
        #expect(try await phone.send(.delete, path).status.kind == .successful)
        let left = try await phone.send(.get, path).text
        #expect(left.matches(of: /"sessionId"/).count == 1 && left.contains(own))
    }

    @Test func sessionRoutes_existInEveryApp() async throws {
        for (app, path) in Self.paths {
            let answer = try await ServiceClient(world.client, to: .auth, app: app, account: 1).send(.get, path)
            #expect(answer.status == .ok)
            let keys: Set<String> = app == .withsuhyeon ? ["errorCode", "message", "result"] : ["sessions"]
            #expect(try answer.keys() == keys)
            #expect(try await ServiceClient(world.client, to: .auth, app: app).send(.get, path).status == .unauthorized)
        }
    }
}
