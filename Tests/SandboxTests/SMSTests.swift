import Crypto
import FoundationEssentials
import Testing

@testable import Sandbox

@Suite(.sandbox) struct SMSTests {
    private let sandbox = SandboxClient.current

    struct MessageList: Decodable {
        var messages: [Message]

        struct Message: Decodable, Equatable {
            var to: String
            var from: String
            var text: String
            var code: String?
        }
    }

    private static let message = #"{"message":{"to":"01012345678","from":"0215771577","text":"[수현이랑] 482913"}}"#

    private static func header(
        key: String = "madang-development-sms-key",
        secret: String = "madang-development-sms-secret",
        at time: Date = .now,
        salt: String = UUID().uuidString
    ) -> String {
        let date = time.formatted(.iso8601)
        let code = HMAC<SHA256>.authenticationCode(
            for: Array((date + salt).utf8),
            using: SymmetricKey(data: Array(secret.utf8))
        )
        let signature = code.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return "HMAC-SHA256 Apikey=\(key), Date=\(date), salt=\(salt), signature=\(signature)"
    }

    @Test func sentMessage_isListedByNumber() async throws {
        let sent = try await sandbox.post("/sms/messages/v4/send", json: Self.message, authorization: Self.header())
        #expect(sent.status == 200)
        #expect(sent.texts["statusCode"] == "2000")
        #expect(sent.texts["type"] == "SMS")
        #expect(sent.texts["to"] == "01012345678")
        let other = Self.message.replacing("01012345678", with: "01099999999").replacing("482913", with: "다음")
        _ = try await sandbox.post("/sms/messages/v4/send", json: other, authorization: Self.header())

        let all = try await sandbox.get("/_control/sms").decode(MessageList.self).messages
        #expect(all.map(\.to) == ["01099999999", "01012345678"])
        #expect(all.map(\.code) == [nil, "482913"])
        let mine = try await sandbox.get("/_control/sms?to=01012345678").decode(MessageList.self).messages
        #expect(mine.map(\.text) == ["[수현이랑] 482913"])
    }

    @Test func invalidSignature_isRefused() async throws {
        let once = Self.header()
        _ = try await sandbox.post("/sms/messages/v4/send", json: Self.message, authorization: once)
        let headers: [(String?, Int, String)] = [
            (nil, 401, "Unauthorized"), ("Bearer x", 401, "Unauthorized"),
            ("HMAC-SHA256 Apikey=x", 400, "ValidationError"),
            (Self.header(salt: "short"), 400, "ValidationError"),
            (Self.header(key: "another"), 403, "InvalidApiKey"),
            (Self.header(secret: "another"), 403, "SignatureDoesNotMatch"),
            (Self.header(at: .now - 3600), 403, "RequestTimeTooSkewed"), (once, 403, "DuplicatedSignature"),
        ]
        for (header, status, code) in headers {
            let reply = try await sandbox.post("/sms/messages/v4/send", json: Self.message, authorization: header)
            #expect(reply.status == status, "\(header ?? "-")")
            #expect(reply.texts["errorCode"] == code)
        }
        #expect(try await sandbox.get("/_control/sms").decode(MessageList.self).messages.count == 1)
    }

    @Test(arguments: [
        "{}", #"{"message":{"to":"01012345678","text":"a"}}"#, #"{"message":{"to":"","from":"0215771577","text":"a"}}"#,
        #"{"message":{"to":"010-1234-5678","from":"0215771577","text":"a"}}"#,
        #"{"message":{"to":"01012345678","from":"0215771577","text":""}}"#,
    ])
    func invalidMessage_isRefused(json: String) async throws {
        let reply = try await sandbox.post("/sms/messages/v4/send", json: json, authorization: Self.header())
        #expect(reply.status == 400)
        #expect(reply.texts["errorCode"] == "ValidationError")
    }
}
