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

    private init(_ code: String, _ message: String) {
        (self.code, self.message) = (code, message)
    }

    static let found = OpenDataNotice("INFO-000", "정상 처리되었습니다")
    static let nothing = OpenDataNotice("INFO-200", "해당하는 데이터가 없습니다.")
    static let missing = OpenDataNotice("ERROR-300", "필수 값이 누락되어 있습니다. 요청인자를 참고 하십시오.")
    static let badType = OpenDataNotice("ERROR-301", "파일타입 값이 누락 혹은 유효하지 않습니다.")
    static let badStart = OpenDataNotice("ERROR-331", "요청시작위치 값을 확인하십시오.")
    static let badEnd = OpenDataNotice("ERROR-332", "요청종료위치 값을 확인하십시오.")
    static let badPosition = OpenDataNotice("ERROR-333", "요청위치 값의 타입이 유효하지 않습니다.")
    static let endBeforeStart = OpenDataNotice("ERROR-334", "요청종료위치 보다 요청시작위치가 더 큽니다.")
    static let tooManyForSample = OpenDataNotice("ERROR-335", "샘플데이터(샘플키:sample)는 한번에 최대 5건을 넘을 수 없습니다.")
    static let tooManyRows = OpenDataNotice("ERROR-336", "데이터요청은 한번에 최대 1000건을 넘을 수 없습니다.")
    static let outOfOrder = OpenDataNotice("ERROR-500", "서버 오류입니다.")

    /// A response with the message alone.
    func response(_ status: HTTPResponse.Status = .ok) -> Response {
        (try? .seoulJSON(["RESULT": self], status: status)) ?? .empty(status)
    }
}

extension OpenDataNotice: HTTPResponseError {
    var status: HTTPResponse.Status { .ok }

    func response(from request: Request, context: some RequestContext) throws -> Response { response() }
}
