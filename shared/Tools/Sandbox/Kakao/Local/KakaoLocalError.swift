import Hummingbird
import ServiceKit

/// An error in the format of Kakao's search, `{errorType, message}`, which differs from that of its login.
struct KakaoLocalError: ProviderError {
    var status: HTTPResponse.Status
    var errorType: String
    var message: String

    init(_ status: HTTPResponse.Status, _ errorType: String, _ message: String) {
        (self.status, self.errorType, self.message) = (status, errorType, message)
    }

    static let noKey = KakaoLocalError(.unauthorized, "AccessDeniedError", "cannot find Authorization : KakaoAK header")
    static let wrongKey = KakaoLocalError(.unauthorized, "AccessDeniedError", "wrong appKey format")

    static func missing(_ parameter: String) -> KakaoLocalError {
        KakaoLocalError(.badRequest, "MissingParameter", "\(parameter) parameter required")
    }

    static func wrong(_ what: String) -> KakaoLocalError {
        KakaoLocalError(.badRequest, "InvalidArgument", what)
    }

    /// The error response of a configured fault.
    static func outOfOrder(_ status: HTTPResponse.Status) -> KakaoLocalError {
        let (type, message) =
            switch status.code {
            case 400: ("InvalidArgument", "bad request")
            case 401: ("AccessDeniedError", "wrong appKey format")
            case 404: ("ResourceNotFound", "no such resource")
            case 429: ("RequestThrottled", "API limit has been exceeded.")
            default: ("InternalError", "internal server error")
            }
        return KakaoLocalError(status, type, message)
    }

    var response: Response {
        (try? .snakeJSON(["errorType": errorType, "message": message], status: status)) ?? .empty(status)
    }
}
