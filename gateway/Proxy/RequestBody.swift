import NIOCore

/// A request body on its way to a service. It is counted, validated and reframed, so that the service only reads
/// framing that the gateway wrote.
struct RequestBody {
    /// A part of the body.
    enum Piece: Equatable {
        /// Bytes of a body with a known length.
        case bytes(ByteBuffer)
        /// Bytes of a chunked body, without framing.
        case chunk(ByteBuffer)
        /// The end of a chunked body.
        case lastChunk
    }

    private let length: BodyLength
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

    /// Takes the next part of the body from received bytes; nil if more bytes are needed or the body is complete.
    ///
    /// - Throws: `HTTPFault`, also if the body exceeds the limit.
    mutating func next(_ buffer: inout ByteBuffer) throws(HTTPFault) -> Piece? {
        switch length {
        case .none, .untilClose:
            return nil
        case .bytes:
            guard let bytes = buffer.readSlice(length: min(remaining, buffer.readableBytes)), bytes.readableBytes > 0
            else { return nil }
            remaining -= bytes.readableBytes
            try count(bytes.readableBytes)
            return .bytes(bytes)
        case .chunked:
            while buffer.readableBytes > 0, !chunks.isAtEnd {
                if let piece = try nextChunk(&buffer) { return piece }
            }
            return nil
        }
    }

    private mutating func nextChunk(_ buffer: inout ByteBuffer) throws(HTTPFault) -> Piece? {
        switch try chunks.step(buffer.readableBytesUInt8Span, from: 0) {
        case .framing(let range):
            buffer.moveReaderIndex(forwardBy: range.count)
            return chunks.isAtEnd ? .lastChunk : nil
        case .content(let range):
            guard let bytes = buffer.readSlice(length: range.count) else { return nil }
            try count(bytes.readableBytes)
            return .chunk(bytes)
        }
    }

    private mutating func count(_ bytes: Int) throws(HTTPFault) {
        count += bytes
        guard count <= limit else { throw .bodyTooLarge }
    }
}
