import FoundationEssentials
package import Hummingbird
import NIOCore

extension Response {
    /// A JSON answer. Absent optional values are encoded as the value's own `encode(to:)` says.
    package static func json(
        _ value: some Encodable,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let encoder = JSONEncoder()
        // Paths of pictures are read by people, too. What is answered twice is the same byte for byte, whichever copy answers.
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let data = try encoder.encode(value)
        return Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }

    /// A plain-text answer.
    package static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/plain;charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// An answer without a body.
    package static func empty(_ status: HTTPResponse.Status) -> Response {
        Response(status: status)
    }
}
