import FoundationEssentials
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.timeLimit(.minutes(8))) struct SeatCatcherJourneyTests {

    @Test func passenger_signsInAndFindsStation() async throws {
        try await Platform.test { platform in
            let tokens = try await platform.signIn(kakao: 4242)
            let valid = try await platform.send(.GET, "/token/validate", token: tokens.accessToken)
            #expect((valid.status, valid.body) == (200, "Valid"))

            let me = try await platform.send(.GET, "/user/me", token: tokens.accessToken)
            #expect(me.status == 200)
            #expect(try me.value(ProfileBody.self).credit == 0)

            let search = "/stations?keyword=%EA%B0%95%EB%82%A8&line=2&order=up"
            let found = try await platform.send(.GET, search, token: tokens.accessToken)
            #expect(found.status == 200)
            #expect(found.body.contains("강남"))
            let nothing = try await platform.send(.GET, "/stations?keyword=zzz", token: tokens.accessToken)
            #expect((nothing.status, nothing.body) == (204, ""))

            let refresh = #"{"refreshToken":"\#(tokens.refreshToken)"}"#
            let refreshed = try await platform.send(.POST, "/token/refresh", json: refresh)
            #expect(refreshed.status == 201)
            let successor = try refreshed.value(TokenPair.self)
            #expect(try await platform.send(.GET, "/user/me", token: successor.accessToken).status == 200)
        }
    }

    @Test func profileChange_reachesSeats() async throws {
        try await Platform.test { platform in
            let tokens = try await platform.signIn(kakao: 4242)
            let change =
                #"{"name":"빛나는 고래","profileImageNum":"IMAGE_5","tags":["USERTAG_CARRIER"],"hasOnBoarded":true}"#
            let changed = try await platform.send(.PATCH, "/user/me", token: tokens.accessToken, json: change)
            #expect(changed.status == 200)
            let account = try changed.value(ProfileBody.self).userId
            let database = platform.seatsDatabase.client
            var seen: String?
            while seen != "빛나는 고래" {
                seen = try await database.optional("SELECT nickname FROM passengers WHERE account_id = \(account)") {
                    try $0.decode(String.self)
                }
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(seen == "빛나는 고래")
        }
    }

    @Test func withdrawal_erasesDataOfOtherServices() async throws {
        try await Platform.test { platform in
            let token = try await platform.signIn(kakao: 4242).accessToken
            let account = try await platform.send(.GET, "/user/me", token: token).value(ProfileBody.self).userId
            let status = #"{"carCode":"2429"}"#
            #expect(try await platform.send(.POST, "/user/status/", token: token, json: status).status == 201)
            #expect(try await platform.send(.GET, "/user/status", token: token).status == 200)
            for (path, expected) in [("/tags/", 200), ("/tags", 200), ("/reports/", 403), ("/reports/me/", 200)] {
                #expect(try await platform.send(.GET, path, token: token).status == expected, "\(path)")
            }

            let left = try await platform.send(.DELETE, "/user/me", token: token)
            #expect((left.status, left.body) == (204, ""))
            #expect(try await platform.send(.DELETE, "/user/me", token: token).status == 401)
            let database = platform.seatsDatabase.client
            var rows = 1
            while rows > 0 {
                rows = try await database.one(
                    "SELECT count(*) FROM riding_statuses WHERE account_id = \(account)"
                ) { try $0.decode(Int.self) }
                try await Task.sleep(for: .milliseconds(10))
            }
            // Until then Kakao may end the link, and the user's tokens with it.
            while try await !platform.hasLeft(account) { try await Task.sleep(for: .milliseconds(20)) }
            let again = try await platform.signIn(kakao: 4242).accessToken
            let me = try await platform.send(.GET, "/user/me", token: again).value(ProfileBody.self)
            #expect(me.userId != account)
        }
    }

    @Test func authOutage_keepsSessions() async throws {
        try await Platform.test { platform in
            let tokens = try await platform.signIn(kakao: 4242)
            try await platform.auth.stop()
            #expect(try await platform.send(.GET, "/stations/32", token: tokens.accessToken).status == 200)
            let me = try await platform.send(.GET, "/user/me", token: tokens.accessToken)
            #expect(me.status == 503)
            #expect(me.headers.first(name: "retry-after") != nil)
            try await platform.auth.start()
            while try await platform.send(.GET, "/user/me", token: tokens.accessToken).status != 200 {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    @Test func seatsOutage_returns503InAppsFormat() async throws {
        try await Platform.test { platform in
            let tokens = try await platform.signIn(kakao: 4242)
            try await platform.seats.stop()
            let answer = try await platform.send(.GET, "/stations", token: tokens.accessToken)
            #expect(answer.status == 503)
            #expect(answer.body.contains(#""error":"Service Unavailable""#))
            #expect(try await platform.send(.GET, "/user/me", token: tokens.accessToken).status == 503)
        }
    }

    @Test func keyRotation_acceptsOldTokens() async throws {
        try await Platform.test({ auth in
            auth.keyPeriod = 2
            auth.keyLead = 1
        }) { platform in
            let first = try await platform.signIn(kakao: 1)
            let end = ContinuousClock.now + .seconds(7)
            var signIns = 0
            while ContinuousClock.now < end {
                let tokens = try await platform.signIn(kakao: signIns)
                #expect(try await platform.send(.GET, "/stations/1", token: tokens.accessToken).status == 200)
                #expect(try await platform.send(.GET, "/stations/1", token: first.accessToken).status == 200)
                signIns += 1
                try await Task.sleep(for: .milliseconds(50))
            }
            let keys = try await platform.authDatabase.client.one("SELECT count(*) FROM signing_keys") {
                try $0.decode(Int.self)
            }
            #expect(keys >= 3)
        }
    }
}
