import AsyncHTTPClient
import Crypto
import FoundationEssentials
import ServiceKit

/// Sends text messages by Solapi (With Suhyeon contract 7.1).
struct SMSClient: Sendable {
    private let connection: ProviderConnection
    private let key: String
    private let secret: SymmetricKey
    private let sender: String

    init(_ settings: ProviderSettings, http: HTTPClient) {
        connection = ProviderConnection(provider: "The text message service", baseURL: settings.smsURL, http: http)
        key = settings.smsKey
        secret = SymmetricKey(data: Array(settings.smsSecret.utf8))
        sender = settings.smsSender
    }

    /// Submits a message. It counts as sent when the provider has accepted it.
    ///
    /// - Throws: `ProviderUnavailable` when the provider did not accept the message.
    func send(_ text: String, to phone: String) async throws {
        let request = SendRequest(message: .init(to: phone, from: sender, text: text))
        let answer = try await connection.post("/messages/v4/send", json: request, authorization: authorization())
        guard answer.status == 200, answer.value(Accepted.self)?.statusCode == "2000" else {
            throw connection.refusesUs(answer, "/messages/v4/send")
        }
    }

    private func authorization() -> String {
        let date = Date.now.formatted(.iso8601)
        let salt = Self.hexadecimal((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        let code = HMAC<SHA256>.authenticationCode(for: Array((date + salt).utf8), using: secret)
        return "HMAC-SHA256 Apikey=\(key), Date=\(date), salt=\(salt), signature=\(Self.hexadecimal(code))"
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private struct SendRequest: Encodable {
        var message: Message
        var allowDuplicates = false

        struct Message: Encodable {
            var to: String
            var from: String
            var text: String
        }
    }

    private struct Accepted: Decodable {
        var statusCode: String
    }
}
