import Hummingbird
import ServiceKit

/// The status message of the city's open data, instead of rows or in addition to them: `{CODE, MESSAGE}`, always with
/// HTTP 200 (Culture contract 5.1).
struct OpenDataNotice: Encodable, Error {
    var code: String
    var message: String

    private enum CodingKeys: String, CodingKey {
        case code = "CODE"
        case message = "MESSAGE"
    }

    static let found = OpenDataNotice(code: "INFO-000", message: "정상 처리되었습니다")
    static let nothing = OpenDataNotice(code: "INFO-200", message: "해당하는 데이터가 없습니다.")
    static let missing = OpenDataNotice(
        code: "ERROR-300",
        message: "필수 값이 누락되어 있습니다. 요청인자를 참고 하십시오."
    )
    static let badType = OpenDataNotice(code: "ERROR-301", message: "파일타입 값이 누락 혹은 유효하지 않습니다.")
    static let badStart = OpenDataNotice(code: "ERROR-331", message: "요청시작위치 값을 확인하십시오.")
    static let badEnd = OpenDataNotice(code: "ERROR-332", message: "요청종료위치 값을 확인하십시오.")
    static let badPosition = OpenDataNotice(code: "ERROR-333", message: "요청위치 값의 타입이 유효하지 않습니다.")
    static let endBeforeStart = OpenDataNotice(code: "ERROR-334", message: "요청종료위치 보다 요청시작위치가 더 큽니다.")
    static let tooManyForSample = OpenDataNotice(
        code: "ERROR-335",
        message: "샘플데이터(샘플키:sample)는 한번에 최대 5건을 넘을 수 없습니다."
    )
    static let tooManyRows = OpenDataNotice(
        code: "ERROR-336",
        message: "데이터요청은 한번에 최대 1000건을 넘을 수 없습니다."
    )
    static let outOfOrder = OpenDataNotice(code: "ERROR-500", message: "서버 오류입니다.")

    /// A response with the message alone.
    func response(_ status: HTTPResponse.Status = .ok) -> Response {
        (try? .seoulJSON(["RESULT": self], status: status)) ?? .empty(status)
    }
}

extension OpenDataNotice: HTTPResponseError {
    var status: HTTPResponse.Status { .ok }

    func response(from request: Request, context: some RequestContext) throws -> Response { response() }
}
