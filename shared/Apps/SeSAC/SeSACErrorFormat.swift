import HTTPTypes
import Values

/// The error responses of the two apps with a `SeSACKey`, Anlaka and Seoul Culture: `{message}`, with statuses of their
/// own for keys, expiry, ownership and unknown routes (Anlaka contract 1.5, Culture contract 1.1).
enum SeSACErrorFormat {
    /// - Parameter gone: The status of `notFound`: 404 for Anlaka, 410 for Culture.
    static func status(_ kind: Problem.Kind, gone: HTTPResponse.Status) -> HTTPResponse.Status {
        switch kind {
        case .accessExpired: HTTPResponse.Status(code: 419, reasonPhrase: "Access Token Expired")
        case .refreshExpired: HTTPResponse.Status(code: 418, reasonPhrase: "Refresh Token Expired")
        case .appKey: HTTPResponse.Status(code: 420, reasonPhrase: "App Key Required")
        case .unknownRoute, .methodNotAllowed: HTTPResponse.Status(code: 444, reasonPhrase: "Unknown Route")
        case .blankInName: HTTPResponse.Status(code: 402, reasonPhrase: "Whitespace in Name")
        case .accountGone: .forbidden
        case .notOwner: HTTPResponse.Status(code: 445, reasonPhrase: "Not Owner")
        case .notFound: gone
        case .tooLarge, .unsupportedMedia: .badRequest
        default: .usual(kind)
        }
    }

    static func body(_ problem: Problem) -> String {
        JSONText.object([("message", problem.message)])
    }
}
