import Hummingbird
import ServiceKit

/// An error of FCM: `{error: {code, message, status, details}}`, as in Google's APIs (google.rpc.Status).
///
/// Errors of FCM itself contain its own code (`FcmError`); errors of Google's API layer (a body that is not the API's
/// JSON, no access) do not. A 401, 403 or 404 without that code says nothing about a push token.
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
        /// The invalid field; empty for the body as a whole.
        case violation(field: String, description: String)
        /// The reason why the API layer denies access.
        case denial(reason: String, domain: String)
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

    /// Google's name of a status (google.rpc.Code).
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
    /// FCM's error for a push token.
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

    /// FCM's error for a well-formed but invalid message.
    static func invalid(_ field: String, _ description: String) -> FCMError {
        FCMError(
            status: .badRequest,
            message: description,
            details: [.fcm(.invalidArgument), .violation(field: field, description: description)]
        )
    }

    /// The API layer's error for a malformed body.
    static func unreadable(_ field: String, _ description: String) -> FCMError {
        FCMError(
            status: .badRequest,
            message: description,
            details: [.violation(field: field, description: description)]
        )
    }

    /// The error for a missing or invalid access token.
    static func unauthenticated(_ reason: String) -> FCMError {
        FCMError(
            status: .unauthorized,
            message: "Request had invalid authentication credentials. Expected OAuth 2 access token.",
            details: [.denial(reason: reason, domain: "googleapis.com")]
        )
    }

    /// The error for an access token of another project.
    static func denied(project: String) -> FCMError {
        FCMError(
            status: .forbidden,
            message: "Permission 'cloudmessaging.messages.create' denied on resource 'projects/\(project)'.",
            details: [.denial(reason: "IAM_PERMISSION_DENIED", domain: "cloudresourcemanager.googleapis.com")]
        )
    }
}

extension FCMError: HTTPResponseError {
    func response(from request: Request, context: some RequestContext) throws -> Response { try response() }
}
