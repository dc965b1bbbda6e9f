import AppClients
import Apps
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.timeLimit(.minutes(8))) struct SeatCatcherJourneyTests {

    @Test func passenger_signsInAndFindsStation() async throws {
        try await Platform.test { platform in
            let client = try await platform.signIn(kakao: 4242)
            let valid = try await client.send(\.validateToken)
            #expect((valid.status, valid.body) == (200, "Valid"))
            #expect(try await client.credit == 0)

            let found = try await client.send(\.searchStations, query: "keyword=강남&line=2&order=up")
            #expect(found.status == 200)
            #expect(found.body.contains("강남"))
            let nothing = try await client.send(\.searchStations, query: "keyword=zzz")
            #expect((nothing.status, nothing.body) == (204, ""))

            let refreshed = try await client.refresh(client.refreshToken)
            #expect(refreshed.status == 201)
            client.connection.tokens = try refreshed.value()
            #expect(try await client.send(\.getProfile).status == 200)
        }
    }

    @Test func profileChange_reachesSeats() async throws {
        try await Platform.test { platform in
            let client = try await platform.signIn(kakao: 4242)
            let name = "빛나는 고래"
            let change: RequestBody = [
                "name": "\(name)", "profileImageNum": "IMAGE_5", "tags": ["USERTAG_CARRIER"], "hasOnBoarded": true,
            ]
            let account = try await client.profile(changing: change).userId
            let database = platform.seatsDatabase.client
            try await eventually {
                try await database.optional("SELECT nickname FROM passengers WHERE account_id = \(account)") {
                    try $0.decode(String.self)
                } == name
            }
        }
    }

    @Test func withdrawal_erasesDataOfOtherServices() async throws {
        try await Platform.test { platform in
            let client = try await platform.signIn(kakao: 4242)
            let account = try await client.profile().userId
            let status: RequestBody = ["carCode": "2429"]
            #expect(try await client.send(\.replaceRidingStatus, slash: true, body: status).status == 201)
            #expect(try await client.send(\.getRidingStatus).status == 200)
            #expect(try await client.send(\.listTags, slash: true).status == 200)
            #expect(try await client.send(\.listTags).status == 200)
            #expect(try await client.send(\.listReports, slash: true).status == 403)
            #expect(try await client.send(\.listOwnReports, slash: true).status == 200)

            let left = try await client.send(\.withdraw)
            #expect((left.status, left.body) == (204, ""))
            #expect(try await client.send(\.withdraw).status == 401)
            let database = platform.seatsDatabase.client
            try await eventually {
                try await database.one("SELECT count(*) FROM riding_statuses WHERE account_id = \(account)") {
                    try $0.decode(Int.self)
                } == 0
            }
            // Until then Kakao may end the link, and the user's tokens with it.
            try await eventually { try await platform.hasLeft(account) }
            #expect(try await platform.signIn(kakao: 4242).profile().userId != account)
        }
    }

    @Test func authOutage_keepsSessions() async throws {
        try await Platform.test { platform in
            let client = try await platform.signIn(kakao: 4242)
            try await platform.auth.stop()
            #expect(try await client.send(\.getStation, 32).status == 200)
            let me = try await client.send(\.getProfile)
            #expect(me.status == 503)
            #expect(me.header("retry-after") != nil)
            try await platform.auth.start()
            try await eventually { try await client.send(\.getProfile).status == 200 }
        }
    }

    @Test func seatsOutage_returns503InAppsFormat() async throws {
        try await Platform.test { platform in
            let client = try await platform.signIn(kakao: 4242)
            try await platform.seats.stop()
            let answer = try await client.send(\.searchStations)
            #expect(answer.status == 503)
            #expect(answer.body.contains(#""error":"Service Unavailable""#))
            #expect(try await client.send(\.getProfile).status == 503)
        }
    }

    @Test func keyRotation_acceptsOldTokens() async throws {
        try await Platform.test({ auth in
            auth.keyPeriod = 2
            auth.keyLead = 1
        }) { platform in
            let first = try await platform.signIn(kakao: 1)
            let end = ContinuousClock.now + .seconds(7)
            var signIns: Int64 = 0
            while ContinuousClock.now < end {
                for client in [try await platform.signIn(kakao: signIns), first] {
                    #expect(try await client.send(\.getStation, 1).status == 200)
                }
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
