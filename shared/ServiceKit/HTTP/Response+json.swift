import FoundationEssentials
package import Hummingbird
import NIOCore

extension Response {
    /// A JSON response. Optional values that are nil are encoded according to the value's own `encode(to:)`.
    package static func json(
        _ value: some Encodable,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let encoder = JSONEncoder()
        // Slashes stay unescaped to keep paths readable. Keys are sorted so that every replica encodes the same value
        // to the same bytes.
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let data = try encoder.encode(value)
        return Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }

    package static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/plain;charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// A response without a body.
    package static func empty(_ status: HTTPResponse.Status) -> Response {
        Response(status: status)
    }
}
