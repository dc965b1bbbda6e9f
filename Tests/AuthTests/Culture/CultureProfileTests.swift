import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CultureProfileTests {
    private var world: AuthWorld { .current }
    private let me = "/v1/users/me/profile"

    private struct Profile: Decodable, Equatable {
        struct User: Decodable, Equatable {
            var id: String
            var nick: String
            var profileImage: String?

            enum CodingKeys: String, CodingKey {
                case id = "user_id"
                case nick, profileImage
            }
        }

        var email: String?
        var nick: String
        var phoneNum: String?
        var birthDay: String?
        var followers: [User]
        var following: [User]
        var posts: [String]
    }

    @Test(.service) func newProfile_hasEmptyLists() async throws {
        let member = try await world.cultureMember("a@b.kr", nick: "하루")
        let shown = try await member.phone.send(.get, me)
        #expect(shown.status == .ok)
        #expect(try shown.keys() == ["user_id", "email", "nick", "followers", "following", "posts"])
        #expect(try shown.json(Profile.self).followers.isEmpty)
        #expect(try await world.culture.send(.get, me).status == .unauthorized)
    }

    @Test(.service) func formWithoutFile_updatesProfile() async throws {
        let phone = try await world.cultureMember("a@b.kr", nick: "하루").phone
        let form = MultipartForm().text("phoneNum", "010-1").text("birthDay", "1999-01-01").text("unknown", "x")
        let changed = try await phone.send(.put, me, form: form)
        #expect(changed.status == .ok)
        #expect(try changed.json(Profile.self).phoneNum == "010-1")
        #expect(try changed.json(Profile.self).birthDay == "1999-01-01")
        // Changing only the case of the own nickname is no conflict.
        _ = try await phone.send(.put, me, form: MultipartForm().text("nick", "Haru"))
        let again = try await phone.send(.put, me, form: MultipartForm().text("nick", "HARU"))
        #expect(try again.json(Profile.self).nick == "HARU")
        let cleared = try await phone.send(.put, me, form: MultipartForm().text("phoneNum", ""))
        #expect(try cleared.json(Profile.self).phoneNum == nil)
        #expect(try cleared.json(Profile.self).birthDay == "1999-01-01")
        let long = MultipartForm().text("phoneNum", String(repeating: "1", count: 31))
        #expect(try await phone.send(.put, me, form: long).status == .badRequest)
        let twice = MultipartForm().text("nick", "a").text("nick", "b")
        #expect(try await phone.send(.put, me, form: twice).status == .badRequest)
        #expect(try await phone.send(.put, me, json: #"{"nick":"n"}"#).status == .badRequest)
    }

    @Test(.service) func concurrentRenames_oneGetsNickname() async throws {
        var phones: [ServiceClient] = []
        for index in 0..<6 { phones.append(try await world.cultureMember("a\(index)@b.kr", nick: "n\(index)").phone) }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for phone in phones {
                group.addTask { try await phone.send(.put, me, form: MultipartForm().text("nick", "임자")).status.code }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 409, count: 5))
    }

    @Test(.service) func profileOfOther_omitsEmailAndPhone() async throws {
        let (one, other) = (
            try await world.cultureMember("a@b.kr", nick: "하나"), try await world.cultureMember("c@d.kr", nick: "둘")
        )
        _ = try await other.phone.send(.put, me, form: MultipartForm().text("phoneNum", "010-1"))
        let seen = try await one.phone.send(.get, "/v1/users/\(other.id)/profile")
        #expect(seen.status == .ok)
        #expect(try seen.keys() == ["user_id", "nick", "followers", "following", "posts"])
        for id in ["x", "0123456789abcdef01234567", String(other.account)] {
            #expect(try await one.phone.send(.get, "/v1/users/\(id)/profile").status == .gone)
        }
        _ = try await other.phone.send(.delete, "/v1/users/me")
        #expect(try await one.phone.send(.get, "/v1/users/\(other.id)/profile").status == .gone)
    }

    @Test func followers_areReadFromCommunity() async throws {
        let posts = ["bbbbbbbbbbbbbbbbbbbbbbbb", "aaaaaaaaaaaaaaaaaaaaaaaa"]
        let circle: @Sendable (AccountID) -> CommunityAPI.Circle = { account in
            let next = AccountID(rawValue: account.rawValue + 1)
            return CommunityAPI.Circle(followers: [next, 9999], following: [next], posts: posts.map { "\($0)" })
        }
        try await AuthWorld.test(community: circle) { world in
            let one = try await world.cultureMember("a@b.kr", nick: "하나")
            let two = try await world.cultureMember("c@d.kr", nick: "둘")
            let profile = try await one.phone.send(.get, me).json(Profile.self)
            #expect(profile.followers == [Profile.User(id: two.id, nick: "둘")])
            #expect(profile.following == profile.followers)
            #expect(profile.posts == posts)
        }
        try await AuthWorld.test({ $0.communityURLs = ["http://127.0.0.1:1"] }) { world in
            let login = #"{"email":"a@b.kr","password":"password"}"#
            let tokens = try await world.culture.send(.post, "/v1/users/login", json: login).json(TokenPair.self)
            let phone = ServiceClient(world.client, to: .auth, app: .culture, account: try tokens.claims.account)
            #expect(try await phone.send(.get, me).status == .serviceUnavailable)
        }
    }
}
