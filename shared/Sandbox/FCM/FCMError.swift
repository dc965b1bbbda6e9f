import Hummingbird
import ServiceHost

/// A refusal of FCM's: `{error: {code, message, status, details}}`, as Google's APIs have it (google.rpc.Status).
///
/// What FCM itself says carries its own code (`FcmError`); what the gate before it says (a body that is not the API's JSON, no
/// access) does not. A 404 without that code is not a word on any phone's token, nor is such a 401 or 403.
///
/// Source: Anlaka contract 6.2; Firebase's reference of FCM HTTP v1, `ErrorCode`.
struct FCMError: Error, Equatable {
    var status: HTTPResponse.Status
    var message: String
    var details: [Detail] = []
    /// Seconds, for `Retry-After`.
    var retryAfter: Int?

    enum Detail: Sendable, Equatable {
        case fcm(Code)
        /// The field that is wrong; empty for the body as a whole.
        case violation(field: String, description: String)
        /// Why the gate lets nobody in.
        case gate(reason: String, domain: String)
    }

    /// FCM's own codes.
    enum Code: String, Sendable, CaseIterable {
        case invalidArgument = "INVALID_ARGUMENT"
        case unregistered = "UNREGISTERED"
        case senderIDMismatch = "SENDER_ID_MISMATCH"
        case quotaExceeded = "QUOTA_EXCEEDED"
        case unavailable = "UNAVAILABLE"
        case `internal` = "INTERNAL"
        case thirdPartyAuthError = "THIRD_PARTY_AUTH_ERROR"
    }

    /// Google's word for a status (google.rpc.Code).
    static func word(for status: HTTPResponse.Status) -> String {
        switch status {
        case .badRequest: "INVALID_ARGUMENT"
        case .unauthorized: "UNAUTHENTICATED"
        case .forbidden: "PERMISSION_DENIED"
        case .notFound: "NOT_FOUND"
        case .tooManyRequests: "RESOURCE_EXHAUSTED"
        case .internalServerError: "INTERNAL"
        case .serviceUnavailable: "UNAVAILABLE"
        case .gatewayTimeout: "DEADLINE_EXCEEDED"
        default: "UNKNOWN"
        }
    }
}

extension FCMError {
    /// What FCM says of a phone's token.
    init(_ code: Code, retryAfter: Int? = nil) {
        switch code {
        case .invalidArgument:
            self = .invalid("message.token", "The registration token is not a valid FCM registration token")
        case .unregistered:
            self.init(status: .notFound, message: "Requested entity was not found.", details: [.fcm(code)])
        case .senderIDMismatch: self.init(status: .forbidden, message: "SenderId mismatch", details: [.fcm(code)])
        case .quotaExceeded:
            self.init(status: .tooManyRequests, message: "Quota exceeded.", details: [.fcm(code)])
        case .unavailable:
            self.init(status: .serviceUnavailable, message: "The service is unavailable.", details: [.fcm(code)])
        case .internal:
            self.init(status: .internalServerError, message: "Internal error encountered.", details: [.fcm(code)])
        case .thirdPartyAuthError:
            self.init(status: .unauthorized, message: "Auth error from APNS or Web Push Service", details: [.fcm(code)])
        }
        self.retryAfter = retryAfter
    }

    /// What FCM says of a message that is well formed, and not one to send.
    static func invalid(_ field: String, _ description: String) -> FCMError {
        FCMError(
            status: .badRequest,
            message: description,
            details: [.fcm(.invalidArgument), .violation(field: field, description: description)]
        )
    }

    /// What the gate says of a body that is not the API's.
    static func unreadable(_ field: String, _ description: String) -> FCMError {
        FCMError(
            status: .badRequest,
            message: description,
            details: [.violation(field: field, description: description)]
        )
    }

    /// No access token, or one that is not good any more.
    static func unauthenticated(_ reason: String) -> FCMError {
        FCMError(
            status: .unauthorized,
            message: "Request had invalid authentication credentials. Expected OAuth 2 access token.",
            details: [.gate(reason: reason, domain: "googleapis.com")]
        )
    }

    /// An access token of another project.
    static func denied(project: String) -> FCMError {
        FCMError(
            status: .forbidden,
            message: "Permission 'cloudmessaging.messages.create' denied on resource 'projects/\(project)'.",
            details: [.gate(reason: "IAM_PERMISSION_DENIED", domain: "cloudresourcemanager.googleapis.com")]
        )
    }
}

extension FCMError: HTTPResponseError {
    func response(from request: Request, context: some RequestContext) throws -> Response { try response() }
}
