import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct AnlakaProfileTests {
    private var world: AuthWorld { .current }
    private let me = "/v1/users/me/profile"

    @Test func profileUpdate_changesSentFieldsAndPublishesEvent() async throws {
        let member = try await world.anlakaMember("a@b.kr")
        let phone = member.phone
        let changed = try await phone.send(
            .put,
            me,
            json: #"{"nick":"새 이름","introduction":"안녕하세요","phoneNum":"010-1"}"#
        )
        #expect(changed.status == .ok)
        #expect(try changed.keys() == ["user_id", "email", "nick", "introduction", "phoneNum"])
        // An absent or null field keeps its value.
        let kept = try await phone.send(.put, me, json: #"{"nick":null,"introduction":null}"#)
        #expect(try kept.json([String: String].self) == changed.json([String: String].self))
        // An empty text clears the value.
        let cleared = try await phone.send(.put, me, json: #"{"introduction":"","phoneNum":"","profileImage":""}"#)
        #expect(try cleared.json([String: String].self) == ["user_id": member.id, "email": "a@b.kr", "nick": "새 이름"])
        let shown = try await phone.send(.get, me)
        #expect(shown.text.count == cleared.text.count)

        let events = try await Rows.events(AuthEvents.ProfileChanged.self)
        #expect(events.map(\.nickname) == ["새 이름", "새 이름"])
        #expect(events.map(\.introduction) == ["안녕하세요", nil])
        #expect(
            events.allSatisfy { $0.publicID?.rawValue == member.id && $0.account == member.account && $0.tags == nil }
        )
        let registered = try await Rows.events(AuthEvents.AccountRegistered.self)
        #expect(registered.map(\.publicID?.rawValue) == [member.id])
        #expect(try await Rows.count("SELECT count(*) FROM audit_log WHERE action = 'profile_changed'") == 3)
    }

    @Test(arguments: [
        #"{"nick":""}"#, #"{"nick":"  "}"#, #"{"nick":"a.b"}"#, #"{"nick":5}"#, "", "[]",
        #"{"introduction":"\#(String(repeating: "가", count: 61))"}"#,
        #"{"phoneNum":"\#(String(repeating: "1", count: 31))"}"#, #"{"profileImage":"x"}"#,
        #"{"profileImage":"/data/profiles/"}"#, #"{"profileImage":"/data/profiles/../../etc/passwd"}"#,
        #"{"profileImage":"/data/profiles/0123456789abcdef0123456789abcdef.jpg"}"#, #"{"nick":"a\u0000"}"#,
    ])
    func invalidProfile_returns400(body: String) async throws {
        let phone = try await world.anlakaMember("a@b.kr").phone
        let before = try await phone.send(.get, me).text
        let answer = try await phone.send(.put, me, json: body)
        #expect(answer.status == .badRequest)
        #expect(try answer.keys() == ["message"])
        #expect(try await phone.send(.get, me).text.count == before.count)
    }

    @Test func introduction_acceptsSixtyCharacters() async throws {
        let phone = try await world.anlakaMember("a@b.kr").phone
        let text = String(repeating: "👨‍👩‍👧", count: 60)
        let answer = try await phone.send(.put, me, json: #"{"introduction":"\#(text)"}"#)
        #expect(try answer.json([String: String].self)["introduction"] == text)
    }

    @Test func profileOfOther_omitsEmailAndPhone() async throws {
        let (one, other) = (try await world.anlakaMember("a@b.kr"), try await world.anlakaMember("c@d.kr"))
        _ = try await other.phone.send(.put, me, json: #"{"introduction":"소개","phoneNum":"010"}"#)
        let seen = try await one.phone.send(.get, "/v1/users/\(other.id)/profile?id=\(other.id)")
        #expect(seen.status == .ok)
        #expect(try seen.json([String: String].self) == ["user_id": other.id, "nick": "하루", "introduction": "소개"])
        let foreign = try await world.cultureMember("a@b.kr", nick: "n")
        for id in [
            "x", "0123456789abcdef01234567", String(repeating: "A", count: 24), "1", "%00", foreign.id,
            String(other.account),
        ] {
            let answer = try await one.phone.send(.get, "/v1/users/\(id)/profile")
            #expect(answer.status == .notFound, "\(id)")
            #expect(try answer.keys() == ["message"])
        }
        #expect(try await world.anlaka.send(.get, "/v1/users/\(other.id)/profile").status == .unauthorized)
    }

    @Test func logout_endsSession() async throws {
        let member = try await world.anlakaMember("a@b.kr")
        for _ in 0..<2 {
            let answer = try await member.phone.send(.post, "/v1/users/logout")
            #expect(answer.status == .ok)
            #expect(answer.text.isEmpty)
            // The gateway refuses the tokens from this response on.
            let ended = try #require(answer.headers[.sessionEnd].map(AuthAPI.Revocations.revocations)?.first)
            #expect(ended.session == (try member.tokens.claims.session) && ended.cause == .ended)
        }
        let refreshed = try await world.anlaka.send(
            .get,
            "/v1/auth/refresh",
            headers: [HTTPField.Name("RefreshToken") ?? .via: member.tokens.refreshToken]
        )
        #expect(refreshed.status == .unauthorized)
        #expect(try await Rows.count("SELECT count(*) FROM sessions WHERE end_reason = 'signed_out'") == 1)
        #expect(try await Rows.count("SELECT count(*) FROM audit_log WHERE action = 'signed_out'") == 1)
    }

    @Test func commonRoute_returns200() async throws {
        let answer = try await world.anlaka.send(.get, "/v1/common")
        #expect(answer.status == .ok)
        #expect(try answer.keys() == ["message"])
    }
}
