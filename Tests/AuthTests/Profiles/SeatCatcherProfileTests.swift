import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct SeatCatcherProfileTests {
    private var world: AuthWorld { .current }

    private struct ProfileBody: Decodable, Equatable {
        var userId: AccountID
        var name: String
        var profileImageNum: String
        var credit: Int64
        var tags: [String]
        var hasOnBoarded: Bool
    }

    @Test func newProfile_hasDefaults() async throws {
        let account = try await world.signIn(kakao: 1).account
        let answer = try await world.client(account: account).send(.get, "/user/me")
        #expect(answer.status == .ok)
        #expect(try answer.keys() == ["userId", "name", "profileImageNum", "credit", "tags", "hasOnBoarded"])
        let profile = try answer.json(ProfileBody.self)
        #expect(profile.userId == account)
        #expect(!profile.name.isEmpty)
        #expect(profile.profileImageNum == "IMAGE_1")
        #expect(profile.credit == 310)
        #expect(profile.tags == [])
        #expect(!profile.hasOnBoarded)
    }

    @Test func profileUpdate_changesSentFieldsOnly() async throws {
        let phone = world.client(account: try await world.signIn(kakao: 1).account)
        let onboarding = """
            {"name":"포근한 고래","profileImageNum":"IMAGE_4","tags":["USERTAG_CARRIER","USERTAG_PREGNANT","USERTAG_CARRIER"],
            "credit":99999,"hasOnBoarded":true}
            """
        let first = try await phone.send(.patch, "/user/me", json: onboarding).json(ProfileBody.self)
        #expect(first.name == "포근한 고래")
        #expect(first.profileImageNum == "IMAGE_4")
        #expect(first.tags == ["USERTAG_CARRIER", "USERTAG_PREGNANT"])
        #expect(first.hasOnBoarded)
        #expect(first.credit == 310)

        let nothing = try await phone.send(.patch, "/user/me", json: #"{"name":null,"isActive":true}"#)
        #expect(try nothing.json(ProfileBody.self) == first)
        let cleared = try await phone.send(.patch, "/user/me", json: #"{"tags":[]}"#).json(ProfileBody.self)
        #expect(cleared.tags == [])
        #expect(cleared.name == first.name)
    }

    @Test func profileChanged_isPublishedForPublicFieldsOnly() async throws {
        let database = TestDatabase.current.client
        let phone = world.client(account: try await world.signIn(kakao: 1).account)
        _ = try await phone.send(.patch, "/user/me", json: #"{"hasOnBoarded":true}"#)
        _ = try await phone.send(.patch, "/user/me", json: #"{"name":"느린 수달"}"#)
        let names = try await database.all("SELECT name FROM outbox ORDER BY id") { try $0.decode(String.self) }
        #expect(names == ["auth.account-registered", "auth.profile-changed"])
    }

    @Test(arguments: [
        #"{"profileImageNum":"IMAGE_7"}"#, #"{"tags":["USERTAG_RICH"]}"#, #"{"tags":"USERTAG_CARRIER"}"#,
        #"{"name":""}"#,
        #"{"name":"   "}"#, #"{"hasOnBoarded":"yes"}"#, "[]", "{", #"{"name":"a\u0000b"}"#,
    ])
    func invalidProfile_returns400(body: String) async throws {
        let phone = world.client(account: try await world.signIn(kakao: 1).account)
        let before = try await phone.send(.get, "/user/me").json(ProfileBody.self)
        #expect(try await phone.send(.patch, "/user/me", json: body).status == .badRequest)
        #expect(try await phone.send(.get, "/user/me").json(ProfileBody.self) == before)
    }

    /// With 404 the client would stay signed in to an account that does not exist.
    @Test func unknownAccount_returns401() async throws {
        for method in [HTTPRequest.Method.get, .patch] {
            let answer = try await world.client(account: 12_345).send(method, "/user/me", json: "{}")
            #expect(answer.status == .unauthorized)
            #expect(answer.text.contains("Invalid Token"))
        }
    }
}
