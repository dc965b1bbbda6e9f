import Contracts
import FoundationEssentials
import NIOHTTP1
import Testing

/// A registered user with MOUP's client.
struct MOUPPerson: Sendable {
    let platform: Platform
    let token: String
    let account: AccountID

    private struct Login: Decodable {
        var accessToken: String
    }

    private struct Profile: Decodable {
        var userId: AccountID
    }

    /// - Parameters:
    ///   - subject: the user's `sub` at Google.
    ///   - device: the FCM token; empty when the client has none.
    init(
        _ platform: Platform,
        subject: Int,
        nickname: String,
        role: String,
        device: String = ""
    ) async throws {
        let code = try await platform.control("google/codes", #"{"sub":"\#(subject)","name":"구글"}"#)
        let body = """
            {"provider":"LOGIN_GOOGLE","authCode":"\(code["authorization_code"] ?? "")","username":"",
             "fcmToken":"\(device)"}
            """
        let login = try await platform.send(.POST, "/auth/login", json: body)
        self.platform = platform
        token = try login.value(Login.self).accessToken
        if login.status == 201 {
            let register = #"{"nickname":"\#(nickname)","role":"\#(role)"}"#
            let answer = try await platform.send(.PATCH, "/auth/login/register", token: token, json: register)
            try #require(answer.status == 200, "\(answer.body)")
        }
        account = try await platform.send(.GET, "/users/profiles", token: token).value(Profile.self).userId
    }

    /// Sends a request as the client does.
    @discardableResult
    func send(
        _ method: HTTPMethod,
        _ path: String,
        _ json: String? = nil,
        _ status: Int? = nil
    ) async throws -> Wire.Answer {
        let answer = try await platform.send(method, path, token: token, json: json)
        if let status { try #require(answer.status == status, "\(method) \(path): \(answer.status) \(answer.body)") }
        return answer
    }

    /// An id in a response.
    func id<ID: Identifier>(_ name: String, in answer: Wire.Answer) throws -> ID {
        ID(rawValue: try number(name, in: answer))
    }

    /// An integer member of a response.
    func number(_ name: String, in answer: Wire.Answer) throws -> Int64 {
        struct Member: Decodable {
            var number: Int64?
            init(from decoder: any Decoder) { number = try? decoder.singleValueContainer().decode(Int64.self) }
        }
        return try #require(answer.value([String: Member].self)[name]?.number, "\(answer.body)")
    }
}
