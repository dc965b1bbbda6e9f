import NIOCore

/// Parses a service's responses from bytes that arrive in pieces.
///
/// Body bytes, including chunk framing, are passed on once they are validated: malformed framing is never forwarded to
/// a client.
struct ResponseReader {
    enum Event {
        /// A response head: the payload is its bytes, `head` its parsed form, and `length` describes the body.
        case head(ByteBuffer)
        case body(ByteBuffer)
        case end
    }

    private enum State {
        case head
        case body
        case ended
    }

    private(set) var head = ResponseHead()
    private(set) var length = BodyLength.none
    private var scanner = HeadScanner()
    private var chunks = ChunkReader()
    private var remaining = 0
    private var state = State.ended
    private var method = Method.get

    private static let headSizeLimit = 64 * 1024
    private static let lineLimit = 200

    /// Prepares for the response to a request with this method.
    mutating func begin(_ method: Method) {
        self.method = method
        state = .head
        scanner.reset()
    }

    /// Whether the end of the connection delimits the body.
    var endsWithConnection: Bool {
        state == .body && length == .untilClose
    }

    /// The next event, or nil if more bytes are needed.
    mutating func next(_ buffer: inout ByteBuffer) throws(HTTPFault) -> Event? {
        switch state {
        case .head: return try nextHead(&buffer).map(Event.head)
        case .body: return try nextBody(&buffer)
        case .ended: return nil
        }
    }

    private mutating func nextHead(_ buffer: inout ByteBuffer) throws(HTTPFault) -> ByteBuffer? {
        guard
            let end = try scanner.end(
                of: buffer.readableBytesUInt8Span,
                sizeLimit: Self.headSizeLimit,
                lineLimit: Self.lineLimit
            ), let bytes = buffer.readSlice(length: end)
        else { return nil }
        scanner.reset()
        try head.read(bytes.readableBytesUInt8Span)
        if head.status < 200, head.status != 101 { return bytes }
        length = try head.bodyLength(bytes.readableBytesUInt8Span, answering: method)
        state = .body
        chunks = ChunkReader()
        if case .bytes(let count) = length { remaining = count }
        return bytes
    }

    private mutating func nextBody(_ buffer: inout ByteBuffer) throws(HTTPFault) -> Event? {
        switch length {
        case .none:
            return end()
        case .bytes:
            guard remaining > 0 else { return end() }
            guard buffer.readableBytes > 0, let piece = buffer.readSlice(length: min(remaining, buffer.readableBytes))
            else { return nil }
            remaining -= piece.readableBytes
            return .body(piece)
        case .chunked:
            return try nextChunks(&buffer)
        case .untilClose:
            guard buffer.readableBytes > 0, let piece = buffer.readSlice(length: buffer.readableBytes) else {
                return nil
            }
            return .body(piece)
        }
    }

    /// All received bytes of a chunked body, as one piece.
    private mutating func nextChunks(_ buffer: inout ByteBuffer) throws(HTTPFault) -> Event? {
        if chunks.isAtEnd { return end() }
        var index = 0
        do {
            let bytes = buffer.readableBytesUInt8Span
            while index < bytes.count, !chunks.isAtEnd { index = try chunks.step(bytes, from: index).upperBound }
        }
        guard index > 0, let piece = buffer.readSlice(length: index) else { return nil }
        return .body(piece)
    }

    private mutating func end() -> Event {
        state = .ended
        return .end
    }
}
