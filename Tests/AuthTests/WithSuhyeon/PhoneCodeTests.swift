import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(2))) struct PhoneCodeTests {
    private var world: AuthWorld { .current }
    private static let number = "01012345678"

    private func send(
        _ world: AuthWorld,
        _ number: String = Self.number,
        flow: String = "?flow=signup"
    ) async throws -> TestResponse {
        try await world.client(.withsuhyeon).send(
            .post,
            "/api/v1/message/send\(flow)",
            json: #"{"phoneNumber":"\#(number)"}"#
        )
    }

    private func verify(_ world: AuthWorld, _ code: String, flow: String = "signup") async throws -> TestResponse {
        let body = #"{"phoneNumber":"\#(Self.number)","verifyNumber":"\#(code)"}"#
        return try await world.client(.withsuhyeon).send(.post, "/api/v1/message/verify?flow=\(flow)", json: body)
    }

    private func error(_ answer: TestResponse) throws -> String {
        #expect(try answer.keys() == ["errorCode", "message", "result"])
        return try answer.json(Refusal.self).errorCode
    }

    private func wrong(_ code: String) -> String { code == "100000" ? "100001" : "100000" }

    @Test(.service) func code_verifiesPhoneOnce() async throws {
        let sent = try await send(world)
        #expect(sent.status == .ok)
        #expect(try sent.keys() == ["errorCode", "message", "result"])
        #expect(sent.text.contains(#""message":"SUCCESS""#))
        let code = try #require(await world.codes(Self.number).first)
        #expect(code.count == 6)
        #expect((100_000...999_999).contains(Int(code) ?? 0))
        #expect(try await verify(world, code).status == .ok)
        let again = try await verify(world, code)
        #expect(again.status == .badRequest)
        #expect(try error(again) == "REDIS_002")
        let stored = try await TestDatabase.current.client.all("SELECT encode(digest, 'hex') FROM phone_codes") {
            try $0.decode(String.self)
        }
        #expect(stored.allSatisfy { !$0.contains(code) && $0.count == 64 })
    }

    @Test(.service) func masterCode_isRefused() async throws {
        #expect(try error(await verify(world, "111111")) == "REDIS_002")
        // One code in a million is the master code itself; another is sent then.
        repeat { _ = try await send(world) } while try await world.codes(Self.number).first == "111111"
        #expect(try error(await verify(world, "111111")) == "REDIS_001")
    }

    @Test(.service) func code_isInvalidAfterFiveWrongGuesses() async throws {
        _ = try await send(world)
        let code = try #require(await world.codes(Self.number).first)
        for _ in 0..<5 { #expect(try error(await verify(world, wrong(code))) == "REDIS_001") }
        #expect(try error(await verify(world, code)) == "REDIS_002")
    }

    @Test(.service) func concurrentGuesses_areLimitedToFive() async throws {
        _ = try await send(world)
        let code = try #require(await world.codes(Self.number).first)
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for guess in 0..<50 {
                let digits = String(100_000 + (Int(code) ?? 0) % 100_000 + guess + 1)
                guard digits != code else { continue }
                group.addTask { try error(await verify(world, digits)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0 == "REDIS_001" } == 5)
        #expect(answers.count { $0 == "REDIS_002" } == answers.count - 5)
        let counted = try await TestDatabase.current.client.one("SELECT wrong_guesses FROM phone_codes") {
            try $0.decode(Int.self)
        }
        #expect(counted == 5)
    }

    @Test(.service) func code_expiresAfterThreeMinutes() async throws {
        _ = try await send(world)
        let code = try #require(await world.codes(Self.number).first)
        try await TestDatabase.current.client.execute("UPDATE phone_codes SET sent_at = now() - interval '181 seconds'")
        #expect(try error(await verify(world, code)) == "REDIS_002")
    }

    @Test(.service) func newCode_replacesPreviousAndSixthReturns429() async throws {
        for _ in 0..<5 { #expect(try await send(world).status == .ok) }
        let codes = try await world.codes(Self.number)
        #expect(codes.count == 5)
        let sixth = try await send(world)
        #expect(sixth.status == .tooManyRequests)
        #expect(Int(sixth.headers[.retryAfter] ?? "").map { (1...600).contains($0) } == true)
        #expect(try await world.codes(Self.number).count == 5)
        #expect(try await send(world, "01012345679").status == .ok)
        if codes[1] != codes[0] { #expect(try error(await verify(world, codes[1])) == "REDIS_001") }
        #expect(try await verify(world, codes[0]).status == .ok)
    }

    @Test(.service) func concurrentRequests_sendAtMostFiveCodes() async throws {
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await send(world).status.code } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 5)
        #expect(statuses.count { $0 == 429 } == 15)
        #expect(try await world.codes(Self.number).count == 5)
    }

    @Test(.service) func failedMessage_keepsCodeAndIsNotCounted() async throws {
        _ = try await send(world)
        let code = try #require(await world.codes(Self.number).first)
        try await world.sandbox.fail("sms", #""kind":"http","status":500,"count":10"#)
        for _ in 0..<10 {
            let answer = try await send(world)
            #expect(answer.status == .serviceUnavailable)
            #expect(try error(answer) == "RESPONSE_002")
        }
        #expect(try await verify(world, code).status == .ok)
    }

    @Test(
        .service {
            $0.limits[.messageFromAddress] = 6
            $0.limits[.messageToPhone] = 2
            $0.limits[.message] = 5
        }
    )
    func messages_areLimitedPerPhoneAndInAll() async throws {
        for expected in [HTTPResponse.Status.ok, .ok, .tooManyRequests] {
            #expect(try await send(world).status == expected)
        }
        for (last, expected) in [HTTPResponse.Status.ok, .ok, .ok, .tooManyRequests].enumerated() {
            #expect(try await send(world, "0100000000\(last)").status == expected)
        }
    }

    @Test(.service { $0.limits[.codeFromAddress] = 3 }) func guesses_areLimitedPerAddress() async throws {
        for _ in 0..<3 { #expect(try error(await verify(world, "111111")) == "REDIS_002") }
        #expect(try await verify(world, "111111").status == .tooManyRequests)
    }

    @Test func flow_isCheckedBeforeCodeIsSpent() async throws {
        try await AuthWorld.test { world in
            _ = try await world.companion(Self.number)
            #expect(try await send(world, flow: "?flow=signup").status == .conflict)
            #expect(try error(await send(world, "01099999999", flow: "?flow=signin")) == "USER_002")
            #expect(try error(await send(world, flow: "")) == "REQUEST_001")
            #expect(try await send(world, flow: "?flow=signin").status == .ok)
            let code = try #require(await world.codes(Self.number).first)
            let signUp = try await verify(world, code, flow: "signup")
            #expect(signUp.status == .conflict)
            #expect(try error(signUp) == "USER_003")
            #expect(try await verify(world, code, flow: "signin").status == .ok)
        }
        try await AuthWorld.test { world in
            let other = "01055555555"
            _ = try await send(world, other)
            let code = try #require(await world.codes(other).first)
            let body = #"{"phoneNumber":"\#(other)","verifyNumber":"\#(code)"}"#
            let signIn = try await world.client(.withsuhyeon).send(
                .post,
                "/api/v1/message/verify?flow=signin",
                json: body
            )
            #expect(signIn.status == .badRequest)
            #expect(try error(signIn) == "USER_002")
        }
    }

    @Test(.service) func malformedRequest_returnsREQUEST001() async throws {
        let bodies = [
            "", "{", "[]", "{}", #"{"phoneNumber":null}"#, #"{"phoneNumber":1012345678}"#, #"{"phoneNumber":""}"#,
            #"{"phoneNumber":"0101234567"}"#, #"{"phoneNumber":"010123456789"}"#, #"{"phoneNumber":"01212345678"}"#,
            #"{"phoneNumber":"010-1234-5678"}"#, #"{"phoneNumber":"01|12345678"}"#, #"{"phoneNumber":"０1012345678"}"#,
        ]
        for body in bodies {
            for path in ["send?flow=signup", "verify?flow=signup"] {
                let answer = try await world.client(.withsuhyeon).send(.post, "/api/v1/message/\(path)", json: body)
                #expect(answer.status == .badRequest, "\(body)")
                #expect(try error(answer) == "REQUEST_001")
            }
        }
    }

    @Test(.service) func violations_areJoinedInMessage() async throws {
        for (path, body, count) in [
            ("verify", #"{"phoneNumber":"1","verifyNumber":"12345"}"#, 3),
            ("verify?flow=signup", #"{"phoneNumber":"1","verifyNumber":"abcdef"}"#, 2),
            ("verify?flow=other", #"{"phoneNumber":"01012345678","verifyNumber":"123456"}"#, 1),
            ("send?flow=other", #"{"phoneNumber":"01012345678"}"#, 1),
        ] {
            let answer = try await world.client(.withsuhyeon).send(.post, "/api/v1/message/\(path)", json: body)
            #expect(answer.status == .badRequest)
            #expect(try error(answer) == "REQUEST_001")
            let message = try answer.json(Refusal.self).message
            #expect(message.count { $0 == "\n" } == count)
            #expect(message.hasSuffix("\n"))
        }
    }
}
