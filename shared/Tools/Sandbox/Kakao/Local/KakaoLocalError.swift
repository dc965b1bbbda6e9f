import Hummingbird
import NIOCore
import Values

/// An error in the format of Kakao's search, `{errorType, message}`, which differs from that of its login.
struct KakaoLocalError: Error {
    var status: HTTPResponse.Status
    var errorType: String
    var message: String

    static let noKey = KakaoLocalError(
        status: .unauthorized,
        errorType: "AccessDeniedError",
        message: "cannot find Authorization : KakaoAK header"
    )
    static let wrongKey = KakaoLocalError(
        status: .unauthorized,
        errorType: "AccessDeniedError",
        message: "wrong appKey format"
    )

    static func missing(_ parameter: String) -> KakaoLocalError {
        KakaoLocalError(status: .badRequest, errorType: "MissingParameter", message: "\(parameter) parameter required")
    }

    static func wrong(_ what: String) -> KakaoLocalError {
        KakaoLocalError(status: .badRequest, errorType: "InvalidArgument", message: what)
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
        return KakaoLocalError(status: status, errorType: type, message: message)
    }

    var response: Response {
        let body = #"{"errorType":\#(JSONText.string(errorType)),"message":\#(JSONText.string(message))}"#
        return Response(
            status: status,
            headers: [.contentType: "application/json;charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: body))
        )
    }
}

extension KakaoLocalError: HTTPResponseError {
    func response(from request: Request, context: some RequestContext) throws -> Response { response }
}
