import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

/// What operators see of people, and how they end sessions.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct OperatorRoutesTests {
    private var world: AuthWorld { .current }
    private var console: ServiceClient { ServiceClient(world.client, to: .auth, process: .console) }

    private func find(_ text: String) async throws -> [OperatorsAPI.Person] {
        let answer = try await console.send(.get, "\(OperatorsAPI.path)?q=\(text)")
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json(OperatorsAPI.People.self).people
    }

    private func end(_ session: String, of account: AccountID, app: App = .seatcatcher) async throws -> Int {
        let end = OperatorsAPI.End(account: account, app: app, session: session, by: "kim")
        let json = String(decoding: try JSONEncoder().encode(end), as: UTF8.self)
        return try await console.send(.post, OperatorsAPI.End.path, json: json).status.code
    }

    @Test func person_isFound_byEachID() async throws {
        let (account, tokens) = try await world.signIn(kakao: 1)
        _ = try await world.signIn(kakao: 2)
        let session = try tokens.claims.session
        try await world.database.execute(
            "UPDATE accounts SET app = 'withsuhyeon', phone = '01012345678', email = 'haru@madang.kr' WHERE id = \(account)"
        )
        let publicID = try await world.database.one("SELECT public_id FROM accounts WHERE id = \(account)") {
            try $0.decode(String.self)
        }
        for text in ["\(account)", publicID, session, "01012345678", "010-1234-5678", "HARU@madang.kr"] {
            let found = try await find(text)
            #expect(found.map(\.account) == [account], "\(text)")
            #expect(found.first?.sessions.map(\.id) == [session])
            #expect(found.first?.email == "h***@madang.kr" && found.first?.phone == "5678")
        }
    }

    @Test func person_isFound_byThePhoneNumberThatAnyAppHas() async throws {
        let (account, _) = try await world.signIn(kakao: 1)
        for stored in ["010-1234-5678", "01012345678"] {
            try await world.database.execute("UPDATE accounts SET phone = \(stored) WHERE id = \(account)")
            for text in ["01012345678", "010-1234-5678", "010%201234%205678"] {
                #expect(try await find(text).map(\.account) == [account], "\(text)")
            }
        }
        try await world.database.execute("UPDATE accounts SET phone = '02-123-4567' WHERE id = \(account)")
        #expect(try await find("02-123-4567").map(\.account) == [account])
    }

    @Test func sessionOfAnotherApp_isNotEnded() async throws {
        let (account, tokens) = try await world.signIn(kakao: 1)
        #expect(try await end(tokens.claims.session, of: account, app: .anlaka) == 404)
        #expect(try await find("\(account)").first?.sessions.count == 1)
    }

    @Test(arguments: ["", "0", "-1", "99999999999999999999", "%00", "%27%3B--", "none@madang.kr", "01099999999"])
    func unknownText_findsNone(text: String) async throws {
        _ = try await world.signIn(kakao: 1)
        #expect(try await find(text) == [])
    }

    @Test func endedSession_isRevoked_withTheOperatorInTheAuditLog() async throws {
        let (account, tokens) = try await world.signIn(kakao: 1)
        let (other, _) = try await world.signIn(kakao: 2)
        let session = try tokens.claims.session
        #expect(try await end(session, of: other) == 404)
        #expect(try await end("unknown", of: account) == 404)
        #expect(try await find("\(account)").first?.sessions.count == 1)
        for _ in 0..<2 { #expect(try await end(session, of: account) == 204) }
        #expect(try await find("\(account)").first?.sessions == [])
        let origins = try await world.database.all(
            "SELECT user_agent FROM audit_log WHERE action = 'session_revoked'"
        ) { try $0.decode(String.self) }
        #expect(origins == ["console: kim"])
    }

    // MARK: Restoring

    private func restore(_ account: AccountID, app: App = .seatcatcher) async throws -> (status: Int, stays: Bool?) {
        let restore = OperatorsAPI.Restore(account: account, app: app, by: "kim")
        let json = String(decoding: try JSONEncoder().encode(restore), as: UTF8.self)
        let answer = try await console.send(.post, OperatorsAPI.Restore.path, json: json)
        return (answer.status.code, try? answer.json(OperatorsAPI.Restore.Answer.self).stays)
    }

    @Test func withdrawal_isTakenBack_withTheOperatorInTheAuditLog() async throws {
        let (account, _) = try await world.signIn(kakao: 1)
        try await world.database.execute("UPDATE accounts SET leaving_at = now() WHERE id = \(account)")
        try await world.database.execute(
            "INSERT INTO withdrawals (account_id, app, due_at) VALUES (\(account), 'seatcatcher', now() + interval '1 day')"
        )
        #expect(try await find("\(account)").first?.isLeaving == true)
        #expect(try await restore(account, app: .moup).status == 404)
        #expect(try await restore(account) == (200, true))
        #expect(try await find("\(account)").first?.isLeaving == false)
        #expect(try await restore(account) == (200, false))
        let origins = try await world.database.all("SELECT user_agent FROM audit_log WHERE action = 'stayed'") {
            try $0.decode(String.self)
        }
        #expect(origins == ["console: kim"])
    }

    @Test func erasedAccount_isNotRestored() async throws {
        let (account, _) = try await world.signIn(kakao: 1)
        try await world.database.execute(
            """
            UPDATE accounts SET leaving_at = now(), withdrawn_at = now(), nickname = '', image = NULL, email = NULL,
                phone = NULL, introduction = NULL, birth_day = NULL, signed_in_at = NULL WHERE id = \(account)
            """
        )
        #expect(try await restore(account).status == 404)
        #expect(try await restore(AccountID(rawValue: 0)).status == 404)
    }

    @Test func limitOfSignIns_isShown_andRefilled() async throws {
        let (account, _) = try await world.signIn(kakao: 1)
        try await world.database.execute(
            "UPDATE accounts SET app = 'anlaka', email = 'haru@madang.kr' WHERE id = \(account)"
        )
        let wrong = #"{"email":"HARU@madang.kr","password":"wrong-1234!"}"#
        let app = ServiceClient(world.client, to: .auth, app: .anlaka)
        for _ in 0..<3 { _ = try await app.send(.post, "/v1/users/login", json: wrong) }
        let limit = try #require(try await find("\(account)").first?.limits.first)
        #expect(limit.name == "LIMIT_SIGN_IN_ACCOUNT" && limit.of - limit.left >= 2)
        #expect(try await restore(account, app: .anlaka) == (200, false))
        let refilled = try #require(try await find("\(account)").first?.limits.first)
        #expect(refilled.left == refilled.of)
    }

    @Test func otherPrograms_areRefused() async throws {
        for program in [ProgramName.gateway, .stack, .chat] {
            let client = ServiceClient(world.client, to: .auth, process: program)
            #expect(try await client.send(.get, "\(OperatorsAPI.path)?q=1").status == .forbidden)
            #expect(try await client.send(.post, OperatorsAPI.End.path, json: "{}").status == .forbidden)
        }
    }
}
