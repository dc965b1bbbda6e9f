import NIOCore

/// A request body on its way to a service. It is counted, validated and reframed, so that the service only reads
/// framing that the gateway wrote.
struct RequestBody {
    private(set) var length: BodyLength
    /// The number of content bytes that have passed.
    private(set) var count = 0
    private var remaining = 0
    private var chunks = ChunkReader()
    private let limit: Int

    /// - Parameter limit: The largest allowed content, in bytes.
    init(_ length: BodyLength, limit: Int) {
        self.length = length
        self.limit = limit
        if case .bytes(let count) = length { remaining = count }
    }

    /// Whether the whole body has passed.
    var isComplete: Bool {
        switch length {
        case .none: true
        case .bytes: remaining == 0
        case .chunked: chunks.isAtEnd
        case .untilClose: false
        }
    }

    /// Whether the rest of the body is too large to discard just to keep the connection open.
    var isLarge: Bool {
        length == .chunked || remaining > 64 * 1024
    }

    /// Consumes the received part of the body.
    ///
    /// - Parameter sink: Receives the pieces to forward, in order.
    /// - Throws: `HTTPFault`, also if the body exceeds the limit.
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

/// The framing of the chunks that the gateway writes (RFC 9112 §7.1).
enum Chunk {
    static let end: StaticString = "\r\n"
    static let last: StaticString = "0\r\n\r\n"

    /// The size line of a chunk.
    static func start(of size: Int) -> ByteBuffer {
        ByteBuffer(string: "\(String(size, radix: 16))\r\n")
    }
}
