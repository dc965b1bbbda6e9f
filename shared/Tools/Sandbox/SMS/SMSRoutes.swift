import FoundationEssentials
import Hummingbird
import ServiceKit

/// `POST /messages/v4/send`.
struct SMSRoutes: Sendable {
    let key: SMSKey
    let phones: SMSPhones

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("messages/v4/send", use: send)
    }

    private struct SendRequest: Decodable {
        var message: Message

        struct Message: Decodable {
            var to: String
            var from: String
            var text: String
        }
    }

    /// The maximum size of a text message in bytes of the Korean encoding, two for each Hangul syllable; longer ones
    /// are sent as LMS.
    private static let shortLimit = 90

    private func send(_ request: Request, _ context: SandboxContext) async throws -> Response {
        try key.check(request.credentials("HMAC-SHA256"))
        guard let message = try? await request.json(SendRequest.self, context).message else {
            throw SMSError(.badRequest, "ValidationError", "message needs to, from and text")
        }
        guard Self.isNumber(message.to), Self.isNumber(message.from), !message.text.isEmpty else {
            throw SMSError(.badRequest, "ValidationError", "to and from must be numbers, text must not be empty")
        }
        phones.receive(to: message.to, from: message.from, text: message.text, at: Date.now.formatted(.iso8601))
        let length = message.text.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) }
        let id = RandomToken.make().prefix(20)
        return try .snakeJSON([
            "groupId": "G4V\(id)", "messageId": "M4V\(id)", "accountId": "sandbox", "statusCode": "2000",
            "statusMessage": "정상 접수(이통사로 접수 예정)", "country": "82", "to": message.to, "from": message.from,
            "type": length <= Self.shortLimit ? "SMS" : "LMS",
        ])
    }

    private static func isNumber(_ text: String) -> Bool {
        (8...12).contains(text.utf8.count)
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
