import AppClients
import Apps
import Authentication
import NIOCore
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Bench

/// Silent refresh through two gateways, with the real auth service.
@Suite(.timeLimit(.minutes(5))) struct RefreshStormTests {
    private static let sessions = 50
    private static let requests = 200

    /// 200 requests of each of 50 sessions at once, half of them at either gateway, with expired access tokens.
    private static func storm(_ platform: RefreshPlatform, disturb: @escaping @Sendable () async throws -> Void)
        async throws
    {
        var pairs: [ClientTokens] = []
        for number in 0..<sessions { pairs.append(try await platform.signIn(kakao: 1_000 + Int64(number))) }
        try await Task.sleep(for: .seconds(2))
        await platform.killAuth()
        // From now on access tokens have their usual lifetime.
        try await platform.startAuth(["AUTH_ACCESS_TTL": "1800"])
        for gateway in 0...1 {
            #expect(try await platform.send(access: pairs[0].accessToken, at: gateway).status == 401)
        }

        let storm = (0..<(requests * sessions)).map { number in
            let (request, session) = number.quotientAndRemainder(dividingBy: sessions)
            let body = "report \(request) of \(session)"
            return BurstLoad.Request(
                port: platform.gatewayPorts[request % 2],
                text: """
                    POST /reports HTTP/1.1\r\nHost: madang\r\nUser-Agent: SeatCatcher/1\r\n\
                    Authorization: Bearer \(pairs[session].accessToken)\r\n\
                    X-Refresh-Token: \(pairs[session].refreshToken)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
                    """
            )
        }
        async let disturbed: Void = disturb()
        // Two requests share a connection: the clients and the service run in this process, whose open files are
        // limited.
        let answers = try await BurstLoad.run(storm, queued: 2, timeout: .seconds(120))
        try await disturbed
        #expect(answers.count { $0.status == 201 } == sessions * requests)
        #expect(Set(answers.map(\.status)) == [201])
        let rotations = try await platform.rotations()
        #expect(rotations == (sum: sessions, most: 1))
        // Every waiting request got the session's one successor.
        for session in 0..<sessions {
            let given = answers.indices.filter { $0 % sessions == session }.compactMap { answers[$0].successor }
            #expect(given.count == requests && Set(given).count == 1)
        }
        let arrived = platform.echo.arrived
        #expect(arrived.count == sessions * requests)
        #expect(arrived.values.allSatisfy { $0 == 1 })
    }

    @Test func refreshStorm_rotatesEachSessionOnce() async throws {
        try await RefreshPlatform.test(["AUTH_ACCESS_TTL": "1"]) { platform in
            try await Self.storm(platform) {}
        }
    }

    @Test func refreshStorm_duringAuthCrash_losesNothing() async throws {
        try await RefreshPlatform.test(["AUTH_ACCESS_TTL": "1"], wait: 20) { platform in
            try await Self.storm(platform) {
                while try await platform.rotations().sum < 5 { try await Task.sleep(for: .milliseconds(1)) }
                await platform.killAuth()
                try await platform.startAuth(["AUTH_ACCESS_TTL": "1800"])
            }
        }
    }

    /// A gateway repeats a refresh whose response was lost, and gets the committed tokens.
    @Test func refreshStorm_duringDatabaseCrash_losesNothing() async throws {
        try await RefreshPlatform.test(["AUTH_ACCESS_TTL": "1"], wait: 20) { platform in
            try await Self.storm(platform) {
                while try await platform.rotations().sum < 5 { try await Task.sleep(for: .milliseconds(1)) }
                try await platform.killDatabase()
                try await platform.startDatabase()
            }
        }
    }

    @Test func stolenRefreshToken_revokesSessionAtAllGateways() async throws {
        try await RefreshPlatform.test { platform in
            let first = try await platform.signIn(kakao: 1)
            let answer = try await platform.send(refresh: first.refreshToken, at: 0)
            #expect(answer.status == 200)
            let second = ClientTokens(
                accessToken: answer.headers["x-access-token"].first ?? "",
                refreshToken: answer.headers["x-refresh-token"].first ?? ""
            )
            // A response may get lost: until the client uses the new token, it may refresh again, from any address.
            let again = try await platform.send(refresh: first.refreshToken, at: 1, from: "SeatCatcher/2")
            #expect(again.headers["x-refresh-token"] == [second.refreshToken])

            for gateway in 0...1 {
                #expect(try await platform.send(access: second.accessToken, at: gateway).status == 200)
            }
            try await eventually { try await platform.usedGeneration() >= 1 }
            #expect(try await platform.send(refresh: first.refreshToken, at: 1, from: "Thief/1").status == 401)
            for gateway in 0...1 {
                for access in [first.accessToken, second.accessToken] {
                    try await eventually {
                        try await platform.send(access: access, at: gateway).status == 401
                    }
                }
                #expect(try await platform.send(refresh: second.refreshToken, at: gateway).status == 401)
            }
        }
    }

    @Test func withdrawal_revokesTokensAtAllGateways() async throws {
        try await RefreshPlatform.test { platform in
            let pair = try await platform.signIn(kakao: 1)
            for gateway in [0, 1, 0, 1] {
                #expect(try await platform.send(access: pair.accessToken, at: gateway).status == 200)
            }
            #expect(try await platform.send(\.withdraw, access: pair.accessToken, at: 0).status == 204)
            for gateway in 0...1 {
                try await eventually {
                    try await platform.send(access: pair.accessToken, at: gateway).status == 401
                }
                let quiet = try await platform.send(refresh: pair.refreshToken, at: gateway)
                #expect(quiet.status == 401 && quiet.headers["x-access-token"].isEmpty)
            }
        }
    }

    /// The signing key changes every few seconds, and access tokens live for 3 seconds: no request of a client fails.
    @Test func keyRotation_underLoad_failsNoRequest() async throws {
        let settings = ["AUTH_KEY_PERIOD": "5", "AUTH_KEY_LEAD": "2", "AUTH_ACCESS_TTL": "3"]
        try await RefreshPlatform.test(settings) { platform in
            let end = ContinuousClock.now + .seconds(20)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    let first = try await platform.signIn(kakao: Int64(number))
                    group.addTask {
                        var pair = first
                        var count = 0
                        while ContinuousClock.now < end {
                            let answer = try await platform.send(
                                access: pair.accessToken,
                                refresh: pair.refreshToken,
                                at: count % 2
                            )
                            guard answer.status == 200 else {
                                Issue.record("client \(number) got \(answer.status) \(answer.body)")
                                return
                            }
                            if let access = answer.headers["x-access-token"].first,
                                let refresh = answer.headers["x-refresh-token"].first
                            {
                                pair = ClientTokens(accessToken: access, refreshToken: refresh)
                            }
                            count += 1
                            try await Task.sleep(for: .milliseconds(Int.random(in: 50...150)))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let keys = try await platform.database.one("SELECT count(*) FROM signing_keys") {
                try $0.decode(Int64.self)
            }
            #expect(keys >= 4)
            #expect(try await platform.rotations().most > 5)
        }
    }
}

extension RefreshPlatform {
    /// The newest generation of any session that a client has used.
    fileprivate func usedGeneration() async throws -> Int {
        try await database.one("SELECT max(used_generation) FROM sessions") { try $0.decode(Int.self) }
    }
}
