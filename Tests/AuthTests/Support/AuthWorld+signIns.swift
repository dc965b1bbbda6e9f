import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestKit

@testable import Auth
@testable import Sandbox

extension AuthWorld {
    /// A client of an app, with the session of `tokens` if given.
    func client(_ app: App, _ tokens: TokenPair? = nil) throws -> ServiceClient {
        guard let claims = try tokens?.claims else { return ServiceClient(client, to: .auth, app: app) }
        return ServiceClient(client, to: .auth, app: app, account: claims.account, session: claims.session)
    }

    /// An Apple identity token and its authorization code.
    func apple(_ fields: String) async throws -> (identity: String, code: String) {
        let made = try await control("apple/tokens", fields)
        return (made["identity_token"] ?? "", made["authorization_code"] ?? "")
    }

    func googleCode(_ fields: String) async throws -> String {
        try await control("google/codes", fields)["authorization_code"] ?? ""
    }

    func kakao(_ fields: String) async throws -> String {
        try await control("kakao/tokens", fields)["access_token"] ?? ""
    }

    /// The codes that were sent to a phone number, newest first.
    func codes(_ number: String) async throws -> [String] {
        struct MessageList: Decodable {
            var messages: [Message]

            struct Message: Decodable { var code: String? }
        }
        let answer = try await sandbox.execute(uri: "/_control/sms?to=\(number)", method: .get) { $0 }
        return try answer.json(MessageList.self).messages.compactMap(\.code)
    }

    // MARK: MOUP

    /// Signs in to MOUP with Google.
    func moup(google sub: String, name: String? = nil) async throws -> (status: Int, tokens: TokenPair) {
        let name = name.map { #","name":"\#($0)""# } ?? ""
        let code = try await googleCode(#"{"sub":"\#(sub)"\#(name)}"#)
        let body = #"{"provider":"LOGIN_GOOGLE","authCode":"\#(code)","username":""}"#
        let answer = try await client(.moup).send(.post, "/auth/login", json: body)
        return (answer.status.code, try answer.json(TokenPair.self))
    }

    // MARK: With Suhyeon

    /// Sends a code to a phone number and verifies it.
    func prove(_ number: String, flow: String) async throws {
        let body = #"{"phoneNumber":"\#(number)"}"#
        let sent = try await client(.withsuhyeon).send(.post, "/api/v1/message/send?flow=\(flow)", json: body)
        guard sent.status == .ok else { return }
        let code = try await codes(number).first ?? ""
        let verify = #"{"phoneNumber":"\#(number)","verifyNumber":"\#(code)"}"#
        _ = try await client(.withsuhyeon).send(.post, "/api/v1/message/verify?flow=\(flow)", json: verify)
    }

    /// The body of a sign-up request.
    static func signUpForm(_ number: String, userID: Int64? = nil, nickname: String = "수현") -> String {
        let user = userID.map { #","userId":\#($0)"# } ?? ""
        return #"""
            {"phoneNumber":"\#(number)","nickname":"\#(nickname)","birthYear":2001,"gender":false,
             "profileImage":"img_red_suma","region":"잠실/송파/강동"\#(user)}
            """#
    }

    /// Creates an account for a phone number and signs in.
    func companion(_ number: String) async throws -> TokenPair {
        try await prove(number, flow: "signup")
        let form = Self.signUpForm(number)
        let joined = try await client(.withsuhyeon).send(.post, "/api/v1/auth/signup", json: form)
        guard joined.status == .ok else { throw Unexpected(answer: joined.text) }
        return try await signIn(phone: number)
    }

    func signIn(phone number: String) async throws -> TokenPair {
        let body = #"{"phoneNumber":"\#(number)"}"#
        let answer = try await client(.withsuhyeon).send(.post, "/api/v1/auth/signin", json: body)
        guard answer.status == .ok else { throw Unexpected(answer: answer.text) }
        return try answer.json(Envelope<TokenPair>.self).result
    }

    struct Unexpected: Error { var answer: String }
}

/// The envelope of With Suhyeon, in which every key is present.
struct Envelope<Result: Decodable>: Decodable {
    var errorCode: String?
    var message: String
    var result: Result
}

/// An error as the app of With Suhyeon decodes it.
struct Refusal: Decodable {
    var errorCode: String
    var message: String
    var result: String?
}
