import NIOCore

/// Reads a service's answers from bytes that arrive in pieces.
///
/// A body is handed on as it comes, chunk framing included, once it is known to be well formed: what a service frames
/// wrongly is not passed to a phone.
struct AnswerReader {
    enum Event {
        /// A head: `head` holds it, `length` what follows, and the bytes are its own.
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

    /// Gets ready for the answer to a request of this method.
    mutating func begin(_ method: Method) {
        self.method = method
        state = .head
        scanner.reset()
    }

    /// Whether the end of the connection is the end of the body.
    var endsWithConnection: Bool {
        state == .body && length == .untilClose
    }

    /// The next event, or nil when more bytes are needed for it.
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

    /// Everything at hand of a chunked body, as one piece.
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
