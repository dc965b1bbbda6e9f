import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Auth
@testable import Stack
@testable import StackKit

/// A user of With Suhyeon with a client.
struct Companion: Sendable {
    let platform: Platform
    let number: String
    let token: String

    /// Signs a user up with Kakao and a verified phone number, and in.
    static func join(
        _ platform: Platform,
        kakao id: Int,
        number: String,
        nickname: String,
        region: String = "강릉"
    ) async throws -> Companion {
        let kakao = try await platform.control("kakao/tokens", #"{"id":\#(id)}"#)["access_token"] ?? ""
        func send(_ method: HTTPMethod, _ path: String, _ json: String? = nil) async throws -> JSON {
            let headers = ["Access-Token": kakao]
            let answer = try await platform.send(method, "/api/v1/\(path)", headers: headers, json: json)
            try #require(answer.status == 200, "\(path): \(answer.body)")
            return try #require(JSON(parsing: answer.bytes)?["result"])
        }
        let pending = try await send(.POST, "auth/kakao").number("userId")
        let phone = #""phoneNumber":"\#(number)""#
        _ = try await send(.POST, "message/send?flow=signup", "{\(phone)}")
        let code = try await platform.code(on: number)
        _ = try await send(.POST, "message/verify?flow=signup", #"{\#(phone),"verifyNumber":"\#(code)"}"#)
        let form = #"""
            {\#(phone),"nickname":"\#(nickname)","birthYear":2001,"gender":false,"profileImage":"img_red_suma",
             "region":"\#(region)","userId":\#(pending)}
            """#
        _ = try await send(.PATCH, "auth/signup", form)
        let token = try await send(.POST, "auth/signin", "{\(phone)}").text("accessToken")
        return Companion(platform: platform, number: number, token: token)
    }

    /// - Parameter path: the path after `/api/v1/`.
    func ask(_ method: HTTPMethod, _ path: String, _ json: String? = nil) async throws -> Wire.Answer {
        try await platform.send(method, "/api/v1/\(path)", token: token, json: json)
    }

    /// Sends a request, and requires the envelope of a success.
    @discardableResult
    func result(_ method: HTTPMethod, _ path: String, _ json: String? = nil) async throws -> JSON {
        try Self.result(await ask(method, path, json))
    }

    /// The result of a success, in an envelope of exactly the contract's three members (1.1).
    static func result(_ answer: Wire.Answer) throws -> JSON {
        try #require(answer.status == 200, "\(answer.body)")
        let envelope = try #require(JSON(parsing: answer.bytes))
        #expect(envelope.keys == ["errorCode", "message", "result"])
        #expect(envelope["errorCode"] == .null && envelope["message"] == "SUCCESS")
        return try #require(envelope["result"])
    }

    /// The status and the code of a refusal, as `410 POST_006`.
    func refusal(_ method: HTTPMethod, _ path: String, _ json: String? = nil) async throws -> String {
        let answer = try await ask(method, path, json)
        let envelope = try #require(JSON(parsing: answer.bytes), "\(answer.status)")
        #expect(envelope.keys == ["errorCode", "message", "result"] && envelope["result"] == .null)
        return "\(answer.status) \(envelope["errorCode"]?.string ?? "-")"
    }

    /// Publishes a picture in the gallery.
    @discardableResult
    func show(_ picture: [UInt8], category: String, title: String) async throws -> JSON {
        let said = #"{"category":"\#(category)","title":"\#(title)","content":""}"#
        let form = MultipartForm().file("image", picture, filename: "image.jpg")
            .file("createGalleryRequest", Array(said.utf8), type: "application/json")
        let headers = ["authorization": "Bearer \(token)", "content-type": MultipartForm.contentType]
        let url = "\(platform.gateway)/api/v1/galleries"
        return try Self.result(await Wire.send(.POST, url, headers: headers, body: form.bytes))
    }
}

extension JSON {
    /// The names of an object's members; empty for any other value.
    var keys: Set<String> {
        if case .object(let members) = self { Set(members.keys) } else { [] }
    }
}
