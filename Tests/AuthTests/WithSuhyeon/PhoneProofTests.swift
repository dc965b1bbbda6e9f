import Contracts
import HTTPTypes
import HummingbirdTesting
import ServiceKit
import TestKit
import Testing

@testable import Auth

/// Who may use the verification of a phone number (With Suhyeon contract 4.1).
@Suite(.database(Migrations.all), .service, .timeLimit(.minutes(2))) struct PhoneProofTests {
    private var world: AuthWorld { .current }
    private static let number = "01012345678"

    /// A client by its address and its user agent.
    private struct Caller {
        var address = "203.0.113.7"
        var agent = "WithSuhyeon/1.0 iPhone"
        var tokens: TokenPair?

        static let owner = Caller()
        static let elsewhere = Caller(address: "203.0.113.8")
        static let otherApp = Caller(agent: "curl/8")

        var headers: HTTPFields { [.internalClient: address, .userAgent: agent] }
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ json: String,
        by caller: Caller
    ) async throws -> HTTPResponse.Status {
        try await world.client(.withsuhyeon, caller.tokens).send(method, path, json: json, headers: caller.headers)
            .status
    }

    private func verify(_ flow: String, by caller: Caller) async throws {
        let number = #"{"phoneNumber":"\#(Self.number)"}"#
        #expect(try await send(.post, "/api/v1/message/send?flow=\(flow)", number, by: caller) == .ok)
        let code = try #require(await world.codes(Self.number).first)
        let body = #"{"phoneNumber":"\#(Self.number)","verifyNumber":"\#(code)"}"#
        #expect(try await send(.post, "/api/v1/message/verify?flow=\(flow)", body, by: caller) == .ok)
    }

    private func signUp(_ caller: Caller) async throws -> HTTPResponse.Status {
        try await send(.post, "/api/v1/auth/signup", AuthWorld.signUpForm(Self.number), by: caller)
    }

    private func signIn(_ caller: Caller) async throws -> HTTPResponse.Status {
        try await send(.post, "/api/v1/auth/signin", #"{"phoneNumber":"\#(Self.number)"}"#, by: caller)
    }

    private func takeNumber(_ caller: Caller) async throws -> HTTPResponse.Status {
        try await send(.patch, "/api/v1/mypage/phone-number", #"{"phoneNumber":"\#(Self.number)"}"#, by: caller)
    }

    @Test func signUp_byOtherClient_isRefusedAndLeavesProof() async throws {
        try await verify("signup", by: .owner)
        #expect(try await signUp(.elsewhere) == .badRequest)
        #expect(try await signUp(.otherApp) == .badRequest)
        #expect(try await signUp(.owner) == .ok)
        #expect(try await signIn(.elsewhere) == .badRequest)
        #expect(try await signIn(.otherApp) == .badRequest)
        #expect(try await signIn(.owner) == .ok)
    }

    @Test func signIn_byOtherClient_isRefusedAndLeavesProof() async throws {
        _ = try await world.companion(Self.number)
        try await verify("signin", by: .owner)
        #expect(try await signIn(.elsewhere) == .badRequest)
        #expect(try await signIn(.otherApp) == .badRequest)
        #expect(try await signIn(.owner) == .ok)
    }

    @Test func changeOfNumber_byOtherAccount_isRefused() async throws {
        let thief = Caller(tokens: try await world.companion("01000000001"))
        var member = Caller(tokens: try await world.companion("01000000002"))
        try await verify("signup", by: member)
        #expect(try await takeNumber(thief) == .badRequest)
        #expect(try await signUp(.owner) == .badRequest)
        // The account is proof enough after a change of the network.
        member.address = "203.0.113.9"
        #expect(try await takeNumber(member) == .ok)
    }

    @Test func changeOfNumber_afterVerificationWithoutToken_requiresSameClient() async throws {
        let tokens = try await world.companion("01000000001")
        try await verify("signup", by: .owner)
        #expect(try await takeNumber(Caller(address: "203.0.113.8", tokens: tokens)) == .badRequest)
        #expect(try await takeNumber(Caller(tokens: tokens)) == .ok)
    }

    @Test func proof_servesItsFlowOnly() async throws {
        try await verify("signup", by: .owner)
        #expect(try await signUp(.owner) == .ok)
        #expect(try await takeNumber(Caller(tokens: try await world.companion("01000000001"))) == .conflict)
        #expect(try await signIn(.owner) == .ok)
        try await verify("signin", by: .owner)
        #expect(try await signUp(.owner) == .conflict)
        #expect(try await signIn(.owner) == .ok)
    }
}
