import HTTPTypes
import Values

/// With Suhyeon's error responses: the envelope `{errorCode, message, result: null}`. Its client signs out on any 401
/// or 404 of an authenticated call, so a missing object is 410 (With Suhyeon contract 1.1, 1.5).
enum WithSuhyeonErrorFormat {
    static func status(_ kind: Problem.Kind) -> HTTPResponse.Status {
        switch kind {
        case .notFound: .gone
        default: .usual(kind)
        }
    }

    static func body(_ problem: Problem) -> String {
        JSONText.object([
            ("errorCode", problem.code ?? usualCode(problem.kind)),
            ("message", problem.message),
            ("result", nil),
        ])
    }

    private static func usualCode(_ kind: Problem.Kind) -> String {
        switch kind {
        case .malformed, .invalid, .blankInName, .badParameter, .tooLarge: "REQUEST_001"
        case .unauthenticated, .appKey: "REQUEST_005"
        case .accessExpired, .refreshExpired: "REQUEST_014"
        case .accessMalformed: "REQUEST_015"
        case .accessMistyped: "REQUEST_016"
        case .accessUnsupported: "REQUEST_017"
        case .accessUnverified, .refreshInvalid, .accountGone: "REQUEST_018"
        case .forbidden, .notOwner: "REQUEST_006"
        case .notFound, .unknownRoute: "REQUEST_009"
        case .methodNotAllowed: "REQUEST_010"
        case .unsupportedMedia, .contentType: "REQUEST_011"
        case .timeout: "REQUEST_008"
        case .conflict, .accountLeaving: "REQUEST_012"
        case .tooMany: "REQUEST_429"
        case .unavailable: "RESPONSE_002"
        case .internal: "RESPONSE_001"
        }
    }
}
