import HTTPTypes
import Values

/// MOUP's error responses: `{errorCode, errorMessage}`; errors of the security layer have no body (MOUP contract 1.1,
/// 1.2). The client refreshes on 401 alone, so a refused refresh token is 400 `AUTH_400`.
enum MOUPErrorFormat {
    static func status(_ kind: Problem.Kind) -> HTTPResponse.Status {
        switch kind {
        case .invalid, .blankInName: .unprocessableContent
        case .refreshInvalid, .refreshExpired, .unsupportedMedia: .badRequest
        case .accountGone: .notFound
        default: .usual(kind)
        }
    }

    static func body(_ problem: Problem) -> String {
        guard let code = problem.code ?? usualCode(problem.kind) else { return "" }
        return JSONText.object([("errorCode", code), ("errorMessage", problem.message)])
    }

    private static func usualCode(_ kind: Problem.Kind) -> String? {
        switch kind {
        case .malformed: "COMMON_400"
        case .invalid, .blankInName: "FIELD_422"
        case .badParameter: "ARGUMENT_400"
        case .unauthenticated, .accessExpired, .accessMalformed, .accessMistyped, .accessUnsupported,
            .accessUnverified, .appKey:
            nil
        case .refreshInvalid, .refreshExpired: "AUTH_400"
        case .accountGone: "USER_404"
        case .accountLeaving: "DELETE_409"
        case .forbidden, .notOwner: "PERMISSION_403"
        case .notFound, .unknownRoute: "COMMON_404"
        case .methodNotAllowed: "COMMON_405"
        case .contentType: "COMMON_415"
        case .conflict: "COMMON_409"
        case .tooLarge: "COMMON_413"
        case .unsupportedMedia: "FILE_400"
        case .timeout: "COMMON_408"
        case .tooMany: "COMMON_429"
        case .unavailable: "COMMON_503"
        case .internal: "COMMON_500"
        }
    }
}
