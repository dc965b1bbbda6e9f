import NIOCore

/// A request's body on its way to a service: counted, checked, and framed anew, so that what a service reads is framed by
/// the gateway and by nobody else.
struct RequestBody {
    private(set) var length: BodyLength
    /// Bytes of content that have passed.
    private(set) var count = 0
    private var remaining = 0
    private var chunks = ChunkReader()
    private let limit: Int

    /// - Parameter limit: the most bytes of content.
    init(_ length: BodyLength, limit: Int) {
        self.length = length
        self.limit = limit
        if case .bytes(let count) = length { remaining = count }
    }

    /// Whether everything of it has passed.
    var isComplete: Bool {
        switch length {
        case .none: true
        case .bytes: remaining == 0
        case .chunked: chunks.isAtEnd
        case .untilClose: false
        }
    }

    /// Whether the rest is better not read over just to keep the connection.
    var isLarge: Bool {
        length == .chunked || remaining > 64 * 1024
    }

    /// Takes what is there of the body.
    ///
    /// - Parameter sink: given pieces to send on, in order.
    /// - Throws: `HTTPFault`, also when there is more than the limit.
    mutating func relay(
        _ buffer: inout ByteBuffer,
        to sink: (ByteBuffer) -> Void
    ) throws(HTTPFault) {
        switch length {
        case .none, .untilClose:
            return
        case .bytes:
            guard let piece = buffer.readSlice(length: min(remaining, buffer.readableBytes)), piece.readableBytes > 0
            else { return }
            remaining -= piece.readableBytes
            try count(piece.readableBytes)
            sink(piece)
        case .chunked:
            while buffer.readableBytes > 0, !chunks.isAtEnd { try relayChunk(&buffer, to: sink) }
        }
    }

    private mutating func relayChunk(_ buffer: inout ByteBuffer, to sink: (ByteBuffer) -> Void) throws(HTTPFault) {
        switch try chunks.step(buffer.readableBytesUInt8Span, from: 0) {
        case .framing(let range):
            buffer.moveReaderIndex(forwardBy: range.count)
            if chunks.isAtEnd { sink(ByteBuffer(staticString: Chunk.last)) }
        case .content(let range):
            guard let piece = buffer.readSlice(length: range.count) else { return }
            try count(piece.readableBytes)
            sink(Chunk.start(of: piece.readableBytes))
            sink(piece)
            sink(ByteBuffer(staticString: Chunk.end))
        }
    }

    private mutating func count(_ bytes: Int) throws(HTTPFault) {
        count += bytes
        guard count <= limit else { throw .bodyTooLarge }
    }
}

/// The framing of chunks that the gateway writes (RFC 9112 §7.1).
enum Chunk {
    static let end: StaticString = "\r\n"
    static let last: StaticString = "0\r\n\r\n"

    /// The size line of a chunk.
    static func start(of size: Int) -> ByteBuffer {
        ByteBuffer(string: "\(String(size, radix: 16))\r\n")
    }
}
