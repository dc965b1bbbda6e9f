import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct RateLimiterTests {
    private var world: AuthWorld { .current }

    private func allowances(_ limit: Int) -> RateLimiter {
        RateLimiter(
            database: TestDatabase.current.client,
            secret: "s",
            limits: [.signInOfAccount: limit, .refreshOfSession: limit]
        )
    }

    /// The number of concurrent takes that succeed.
    private func taken(_ count: Int, of allowances: RateLimiter, _ subject: String?) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do {
                        try await allowances.take(.signInOfAccount, subject)
                        return true
                    } catch {
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test func concurrentTakes_areLimited() async throws {
        let allowances = allowances(10)
        #expect(await taken(30, of: allowances, "a") == 10)
        #expect(await taken(3, of: allowances, "b") == 3)
        try await allowances.take(.refreshOfSession, "a")
        let error = await #expect(throws: RateLimiter.TooMany.self) { try await allowances.take(.signInOfAccount, "a") }
        #expect((1...60).contains(error?.retryAfter ?? 0))
    }

    @Test func allowance_refillsOverTime() async throws {
        let allowances = allowances(10)
        #expect(await taken(10, of: allowances, "a") == 10)
        try await TestDatabase.current.client.execute("UPDATE allowances SET at = at - interval '150 seconds'")
        #expect(await taken(10, of: allowances, "a") == 2)
        try await TestDatabase.current.client.execute("UPDATE allowances SET at = at - interval '1 day'")
        #expect(await taken(30, of: allowances, "a") == 10)
    }

    @Test func returnedAllowance_isNotCounted() async throws {
        let allowances = allowances(2)
        for _ in 0..<5 {
            try await allowances.take(.signInOfAccount, "a")
            try await allowances.giveBack(.signInOfAccount, "a")
        }
        #expect(await taken(3, of: allowances, "a") == 2)
    }

    @Test func missingSubjectOrLimit_isNotCounted() async throws {
        #expect(await taken(5, of: allowances(1), nil) == 5)
        #expect(await taken(5, of: allowances(0), "a") == 5)
        let rows = try await TestDatabase.current.client.one("SELECT count(*) FROM allowances") {
            try $0.decode(Int.self)
        }
        #expect(rows == 0)
    }

    @Test func fullAllowances_areDeleted() async throws {
        try await allowances(1).take(.signInOfAccount, "a")
        try await RateLimitStore().forgetFull(in: TestDatabase.current.client)
        #expect(await taken(1, of: allowances(1), "a") == 0)
        try await TestDatabase.current.client.execute("UPDATE allowances SET at = at - interval '601 seconds'")
        try await RateLimitStore().forgetFull(in: TestDatabase.current.client)
        #expect(
            try await TestDatabase.current.client.one("SELECT count(*) FROM allowances") { try $0.decode(Int.self) }
                == 0
        )
    }

    @Test(.service { $0.limits[.signInOfAccountFromAddress] = 3 }) func failedSignIns_areLimitedPerAddress()
        async throws
    {
        let join = #"{"email":"a@b.kr","password":"abcd123!","nick":"n"}"#
        _ = try await world.anlaka.send(.post, "/v1/users/join", json: join)
        let right = #"{"email":"a@b.kr","password":"abcd123!"}"#
        let wrong = #"{"email":"A@b.kr","password":"abcd123?"}"#
        for _ in 0..<6 { #expect(try await world.anlaka.send(.post, "/v1/users/login", json: right).status == .ok) }
        for _ in 0..<3 {
            #expect(try await world.anlaka.send(.post, "/v1/users/login", json: wrong).status == .unauthorized)
        }
        let refused = try await world.anlaka.send(.post, "/v1/users/login", json: right)
        #expect(refused.status == .tooManyRequests)
        #expect(refused.headers[.retryAfter] != nil)
        // The owner can still sign in from another address.
        let headers: HTTPFields = [.internalClient: "198.51.100.9"]
        let elsewhere = try await world.anlaka.send(.post, "/v1/users/login", json: right, headers: headers)
        #expect(elsewhere.status == .ok)
        // An unknown address is treated like a known one.
        let unknown = #"{"email":"x@b.kr","password":"abcd123?"}"#
        for _ in 0..<3 {
            #expect(try await world.anlaka.send(.post, "/v1/users/login", json: unknown).status == .unauthorized)
        }
        #expect(try await world.anlaka.send(.post, "/v1/users/login", json: unknown).status == .tooManyRequests)
    }

    @Test(.service { $0.limits[.signInOfAccount] = 3 }) func wrongPasswordsElsewhere_doNotLockOutKnownDevice()
        async throws
    {
        let join = #"{"email":"a@b.kr","password":"abcd123!","nick":"n"}"#
        _ = try await world.anlaka.send(.post, "/v1/users/join", json: join)
        func signIn(_ password: String, token: String = "", from address: String) async throws -> HTTPResponse.Status {
            let body = #"{"email":"a@b.kr","password":"\#(password)","deviceToken":"\#(token)"}"#
            let headers: HTTPFields = [.internalClient: address, .userAgent: "Anlaka/1"]
            return try await world.anlaka.send(.post, "/v1/users/login", json: body, headers: headers).status
        }
        #expect(try await signIn("abcd123!", token: "phone", from: "198.51.100.1") == .ok)
        for number in 2...4 { #expect(try await signIn("abcd123?", from: "198.51.100.\(number)") == .unauthorized) }
        #expect(try await signIn("abcd123!", from: "198.51.100.5") == .tooManyRequests)
        #expect(try await signIn("abcd123!", token: "other", from: "198.51.100.5") == .tooManyRequests)
        // By its push token from elsewhere, and by its address and user agent.
        #expect(try await signIn("abcd123!", token: "phone", from: "198.51.100.6") == .ok)
        #expect(try await signIn("abcd123!", from: "198.51.100.1") == .ok)
    }

    @Test(.service { $0.limits[.refreshOfSession] = 5 }) func refreshes_areLimitedPerSession() async throws {
        let tokens = try await world.signIn(kakao: 1).tokens
        let body = #"{"refreshToken":"\#(tokens.refreshToken)"}"#
        for _ in 0..<5 {
            #expect(try await world.client().send(.post, "/token/refresh", json: body).status == .created)
        }
        #expect(try await world.client().send(.post, "/token/refresh", json: body).status == .tooManyRequests)
        let other = try await world.signIn(kakao: 1).tokens
        let otherBody = #"{"refreshToken":"\#(other.refreshToken)"}"#
        #expect(try await world.client().send(.post, "/token/refresh", json: otherBody).status == .created)
    }
}
