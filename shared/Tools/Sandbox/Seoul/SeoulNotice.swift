import FoundationEssentials
import Hummingbird
import NIOCore
import ServiceKit

/// The status message of the arrivals service, instead of rows or in addition to them:
/// `{status, code, message, link, developerMessage, total}`. Errors have HTTP status 200.
struct SeoulNotice: Encodable, Error {
    /// `status` in JSON, which is not the HTTP status.
    var kind: Int
    var code: String
    var message: String
    var link = ""
    var developerMessage = ""
    var total: Int

    private enum CodingKeys: String, CodingKey {
        case kind = "status"
        case code, message, link, developerMessage, total
    }

    private init(_ code: String, _ message: String, kind: Int = 500, total: Int = 0) {
        (self.kind, self.code, self.message, self.total) = (kind, code, message, total)
    }

    static func found(_ total: Int) -> SeoulNotice {
        SeoulNotice("INFO-000", "정상 처리되었습니다.", kind: 200, total: total)
    }

    static let nothing = SeoulNotice("INFO-200", "해당하는 데이터가 없습니다.")
    static let badFileType = SeoulNotice("ERROR-301", "파일타입 값이 누락 혹은 유효하지 않습니다.")
    static let noSuchService = SeoulNotice("ERROR-310", "해당하는 서비스를 찾을 수 없습니다.")
    static let badPosition = SeoulNotice("ERROR-333", "요청위치 값의 타입이 유효하지 않습니다.")
    static let endBeforeStart = SeoulNotice("ERROR-334", "요청종료위치 보다 요청시작위치가 더 큽니다.")
    static let tooManyRows = SeoulNotice("ERROR-336", "데이터요청은 한번에 최대 1000건을 넘을 수 없습니다.")
    static let outOfOrder = SeoulNotice("ERROR-500", "서버 오류입니다.")

    func response(_ status: HTTPResponse.Status = .ok) -> Response {
        (try? .seoulJSON(self, status: status)) ?? .empty(status)
    }
}

extension SeoulNotice: HTTPResponseError {
    var status: HTTPResponse.Status { .ok }

    func response(from request: Request, context: some RequestContext) throws -> Response { response() }
}

extension Response {
    /// JSON with unchanged member names.
    static func seoulJSON(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json;charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(value)))
        )
    }
}
