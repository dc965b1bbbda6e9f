import Contracts
import ServiceKit
import TestKit
import Testing

@testable import Auth

@Suite(.timeLimit(.minutes(1))) struct KakaoClientTests {
    private var world: ProviderWorld { .current }

    private func token(_ world: ProviderWorld, _ fields: String) async throws -> String {
        try await world.control("kakao/tokens", fields)["access_token"] ?? ""
    }

    @Test(.providers) func accessToken_yieldsIdentity() async throws {
        let shared = try await token(world, #"{"id":42,"nickname":"하루","email":"Haru@example.com"}"#)
        let bare = try await world.kakao.identity(accessToken: shared, app: .seatcatcher)
        #expect(bare == SocialIdentity(provider: .kakao, subject: "42"))
        let full = try await world.kakao.identity(accessToken: shared, app: .anlaka, .profile)
        #expect(full.email?.text == "haru@example.com")
        #expect(full.name == "하루")
        let silent = try await token(world, #"{"id":43}"#)
        let quiet = try await world.kakao.identity(accessToken: silent, app: .anlaka, .profile)
        #expect(quiet == SocialIdentity(provider: .kakao, subject: "43"))
    }

    @Test func appIDs_areSeparatePerApp() async throws {
        let ids = try #require(AppIDs(parsing: "anlaka=2,seatcatcher=3"))
        try await ProviderWorld.test({ $0.kakaoAppIDs = ids }) { world in
            let token = try await token(world, #"{"id":42,"app_id":2}"#)
            #expect(try await world.kakao.identity(accessToken: token, app: .anlaka).subject == "42")
            await #expect(throws: AccountError.socialTokenRefused) {
                try await world.kakao.identity(accessToken: token, app: .seatcatcher)
            }
        }
    }

    @Test func unlink_isIdempotent() async throws {
        try await ProviderWorld.test { world in
            let token = try await token(world, #"{"id":42}"#)
            try await world.kakao.unlink(subject: "42")
            try await world.kakao.unlink(subject: "42")
            await #expect(throws: AccountError.socialTokenRefused) {
                try await world.kakao.identity(accessToken: token, app: .anlaka)
            }
            _ = try await world.control("faults", #"{"provider":"kakao","kind":"http","count":1}"#)
            await #expect(throws: ProviderUnavailable(provider: "Kakao")) {
                try await world.kakao.unlink(subject: "42")
            }
        }
        try await ProviderWorld.test({ $0.kakaoAdminKey = "" }) { world in
            await #expect(throws: ProviderUnavailable(provider: "Kakao")) {
                try await world.kakao.unlink(subject: "42")
            }
        }
    }
}
