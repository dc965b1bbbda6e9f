import HTTPTypes
import Values

/// SeatCatcher's error responses: `{error, message, code, requestId}`. The client reads only the status, and treats
/// every 401 as a token to be refreshed, so 401 is reserved for tokens (SeatCatcher contract 1.2, 1.4).
enum SeatCatcherErrorFormat {
    static func status(_ kind: Problem.Kind) -> HTTPResponse.Status {
        .usual(kind)
    }

    static func body(_ problem: Problem, requestID: String?) -> String {
        let usual = usual(problem.kind)
        return JSONText.object([
            ("error", problem.title ?? usual.title),
            ("message", problem.message),
            ("code", problem.code ?? usual.code),
            ("requestId", requestID),
        ])
    }

    private static func usual(_ kind: Problem.Kind) -> (title: String, code: String) {
        switch kind {
        case .malformed, .badParameter: ("Bad Request", "BAD_REQUEST")
        case .invalid, .blankInName: ("Validation Error", "VALIDATION_ERROR")
        case .unauthenticated, .accessMalformed, .accessMistyped, .accessUnsupported,
            .accessUnverified, .refreshInvalid, .appKey,
            .accountGone:
            ("Invalid Token", "INVALID_TOKEN")
        case .accessExpired, .refreshExpired: ("Expired Token", "EXPIRED_TOKEN")
        case .forbidden, .notOwner: ("Forbidden", "FORBIDDEN")
        case .notFound, .unknownRoute: ("Not Found", "NOT_FOUND")
        case .methodNotAllowed: ("Method Not Allowed", "METHOD_NOT_ALLOWED")
        case .conflict, .accountLeaving: ("Conflict", "CONFLICT")
        case .tooLarge: ("Payload Too Large", "PAYLOAD_TOO_LARGE")
        case .unsupportedMedia, .contentType: ("Unsupported Media Type", "UNSUPPORTED_MEDIA_TYPE")
        case .timeout: ("Request Timeout", "REQUEST_TIMEOUT")
        case .tooMany: ("Too Many Requests", "TOO_MANY_REQUESTS")
        case .unavailable: ("Service Unavailable", "SERVICE_UNAVAILABLE")
        case .internal: ("Internal Server Error", "INTERNAL_SERVER_ERROR")
        }
    }
}
