import HTTPTypes
import Hummingbird
import ServiceKit

extension FCMError {
    /// The response in the format of Google's APIs.
    func response() throws -> Response {
        let body = Body(code: status.code, message: message, status: Self.word(for: status), details: details)
        var response = try Response.json(["error": body], status: status)
        response.headers[.retryAfter] = retryAfter.map(String.init)
        return response
    }

    private struct Body: Encodable {
        var code: Int
        var message: String
        var status: String
        var details: [Detail]
    }
}

extension FCMError.Detail: Encodable {
    private struct Violation: Encodable {
        var field: String?
        var description: String
    }

    private enum CodingKeys: String, CodingKey {
        case type = "@type"
        case errorCode, fieldViolations, reason, domain
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .fcm(let code):
            try container.encode("type.googleapis.com/google.firebase.fcm.v1.FcmError", forKey: .type)
            try container.encode(code.rawValue, forKey: .errorCode)
        case .violation(let field, let description):
            try container.encode("type.googleapis.com/google.rpc.BadRequest", forKey: .type)
            let violation = Violation(field: field.isEmpty ? nil : field, description: description)
            try container.encode([violation], forKey: .fieldViolations)
        case .denial(let reason, let domain):
            try container.encode("type.googleapis.com/google.rpc.ErrorInfo", forKey: .type)
            try container.encode(reason, forKey: .reason)
            try container.encode(domain, forKey: .domain)
        }
    }
}
