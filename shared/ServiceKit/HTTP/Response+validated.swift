import Hummingbird
import NIOCore

extension Response {
    /// The response with an entity tag, or 304 to a client that has the content already (RFC 9110 §13.1.2, §15.4.5).
    ///
    /// Responses with another status than 200 stay as they are, and no cache keeps them by this.
    ///
    /// - Parameter cacheControl: Who may keep the content and for how long (RFC 9111 §5.2.2).
    func validated(for request: Request, cacheControl: String) async throws -> Response {
        guard status == .ok else { return self }
        let collector = BodyCollector()
        try await body.write(collector)
        let tag = EntityTag(of: collector.content)
        var headers = headers
        headers[.eTag] = tag.text
        headers[.cacheControl] = cacheControl
        guard let known = request.headers[.ifNoneMatch], tag.isNamed(by: known) else {
            return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: collector.content))
        }
        return Response(status: .notModified, headers: [.eTag: tag.text, .cacheControl: cacheControl])
    }
}

/// Collects what a response's body writes.
private final class BodyCollector: ResponseBodyWriter {
    private(set) var content = ByteBuffer()

    func write(_ buffer: ByteBuffer) {
        if content.readableBytes == 0 {
            content = buffer
        } else {
            content.writeImmutableBuffer(buffer)
        }
    }

    func finish(_ trailingHeaders: HTTPFields?) {}
}
