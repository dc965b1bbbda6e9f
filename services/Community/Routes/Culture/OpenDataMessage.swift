import Hummingbird
import ServiceKit

/// The result codes of the city's API, with HTTP 200, as the app expects (contract 5.1).
struct OpenDataMessage: Encodable, Sendable {
    var code: String
    var message: String

    enum CodingKeys: String, CodingKey {
        case code = "CODE"
        case message = "MESSAGE"
    }

    static let found = OpenDataMessage(code: "INFO-000", message: "정상 처리되었습니다")
    static let nothing = OpenDataMessage(code: "INFO-200", message: "해당하는 데이터가 없습니다.")
    static let missing = OpenDataMessage(
        code: "ERROR-300",
        message: "필수 값이 누락되어 있습니다. 요청인자를 참고 하십시오."
    )
    static let badStart = OpenDataMessage(code: "ERROR-331", message: "요청시작위치 값을 확인하십시오.")
    static let badEnd = OpenDataMessage(code: "ERROR-332", message: "요청종료위치 값을 확인하십시오.")
    static let badPosition = OpenDataMessage(code: "ERROR-333", message: "요청위치 값의 타입이 유효하지 않습니다.")
    static let endBeforeStart = OpenDataMessage(code: "ERROR-334", message: "요청종료위치 보다 요청시작위치가 더 큽니다.")
    static let tooManyRows = OpenDataMessage(
        code: "ERROR-336",
        message: "데이터요청은 한번에 최대 1000건을 넘을 수 없습니다."
    )

    /// A response with the result code alone.
    func response() throws -> Response { try .json(["RESULT": self]) }
}
