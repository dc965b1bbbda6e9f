import FoundationEssentials
import HTTPTypes

/// FCM's response to a message.
struct FCMReply: Sendable {
    let status: Int
    /// `projects/PROJECT/messages/ID`.
    let name: String?
    let error: Refusal?
    let retryAfter: String?

    struct Refusal: Decodable, Sendable {
        var code: Int
        var message: String
        var status: String
        var details: [Detail]
    }

    struct Detail: Decodable, Sendable {
        var type: String
        var errorCode: String?
        var fieldViolations: [Violation]?
        var reason: String?

        enum CodingKeys: String, CodingKey {
            case type = "@type"
            case errorCode, fieldViolations, reason
        }
    }

    struct Violation: Decodable, Sendable {
        var field: String?
        var description: String
    }

    private struct Body: Decodable {
        var name: String?
        var error: Refusal?
    }

    init(_ reply: Reply) {
        let body = try? JSONDecoder().decode(Body.self, from: Data(reply.text.utf8))
        (status, name, error) = (reply.status, body?.name, body?.error)
        retryAfter = reply.headers[.retryAfter]
    }

    /// The FCM code of an error.
    var code: String? { error?.details.compactMap(\.errorCode).first }

    /// The field that an error names.
    var field: String? { error?.details.compactMap(\.fieldViolations).first?.first?.field }

    /// The last part of the name.
    var id: String? { name?.split(separator: "/").last.map(String.init) }
}
