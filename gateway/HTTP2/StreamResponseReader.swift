import NIOCore
import NIOHPACK
import NIOHTTP2

/// Reads the responses that the gateway writes as HTTP/1.1, and makes them the frames of a stream (RFC 9113 §8.3.2).
struct StreamResponseReader {
    private enum State {
        case head
        case body(RequestBody)
        /// After a 101: the bytes are those of a WebSocket.
        case tunnel
        case ended
    }

    private var state = State.head
    private var scanner = HeadScanner()
    private var head = ResponseHead()
    private let method: Method

    private static let headSizeLimit = 64 * 1024
    private static let lineLimit = 200

    /// - Parameter method: The method of the request.
    init(to method: Method) {
        self.method = method
    }

    /// Whether the last frame of the response has been returned.
    var isAtEnd: Bool {
        if case .ended = state { true } else { false }
    }

    var isTunnel: Bool {
        if case .tunnel = state { true } else { false }
    }

    /// The next frame; nil if more bytes are needed.
    mutating func next(_ buffer: inout ByteBuffer) throws(HTTPFault) -> HTTP2Frame.FramePayload? {
        switch state {
        case .head: return try nextHead(&buffer)
        case .body(let body): return try nextPiece(&buffer, of: body)
        case .tunnel:
            guard buffer.readableBytes > 0, let bytes = buffer.readSlice(length: buffer.readableBytes) else {
                return nil
            }
            return .data(.init(data: .byteBuffer(bytes)))
        case .ended: return nil
        }
    }

    private mutating func nextHead(_ buffer: inout ByteBuffer) throws(HTTPFault) -> HTTP2Frame.FramePayload? {
        let found = try scanner.end(
            of: buffer.readableBytesUInt8Span,
            sizeLimit: Self.headSizeLimit,
            lineLimit: Self.lineLimit
        )
        guard let found, let bytes = buffer.readSlice(length: found) else { return nil }
        scanner.reset()
        let span = bytes.readableBytesUInt8Span
        try head.read(span)
        var endsStream = false
        if head.status == 101 {
            state = .tunnel
        } else if head.status >= 200 {
            let body = RequestBody(try head.bodyLength(span, answering: method), limit: .max)
            endsStream = body.isComplete
            state = endsStream ? .ended : .body(body)
        }
        return .headers(.init(headers: head.fields.headers(status: head.status, of: bytes), endStream: endsStream))
    }

    private mutating func nextPiece(
        _ buffer: inout ByteBuffer,
        of body: RequestBody
    ) throws(HTTPFault) -> HTTP2Frame.FramePayload? {
        var body = body
        guard let piece = try body.next(&buffer) else { return nil }
        let endsStream = body.isComplete
        state = endsStream ? .ended : .body(body)
        switch piece {
        case .bytes(let bytes), .chunk(let bytes):
            return .data(.init(data: .byteBuffer(bytes), endStream: endsStream))
        case .lastChunk:
            return .data(.init(data: .byteBuffer(ByteBuffer()), endStream: true))
        }
    }
}

extension HeaderFields {
    /// The fields as those of HTTP/2: names in lower case, without those of a connection (RFC 9113 §8.2).
    fileprivate func headers(status: Int, of bytes: ByteBuffer) -> HPACKHeaders {
        var headers = HPACKHeaders()
        headers.reserveCapacity(lines.count + 1)
        // RFC 8441 §5: 200 is the answer to a handshake that HTTP/1.1 answers with 101.
        headers.add(name: ":status", value: status == 101 ? "200" : String(status))
        let start = bytes.readerIndex
        for field in lines where !HeaderNames.ofHTTP1.contains(field.name) && !field.isNominated {
            let value = bytes.getString(at: start + field.value.lowerBound, length: field.value.count) ?? ""
            let name = start + field.line.lowerBound
            headers.add(
                name: HeaderName.spellings[field.name]
                    ?? bytes.getString(at: name, length: field.nameEnd - field.line.lowerBound)?.lowercased() ?? "",
                value: value,
                indexing: field.name.indexing
            )
        }
        return headers
    }
}

extension HeaderNames {
    /// What the gateway writes for connections of HTTP/1.1 only.
    fileprivate static let ofHTTP1: HeaderNames = [.connection, .transferEncoding, .upgrade, .webSocketAccept]
}

extension HeaderName {
    /// The names in lower case; nothing for a case that stands for several.
    fileprivate static let spellings: [HeaderName: String] = allCases.reduce(into: [:]) {
        if $1.spelling.utf8CodeUnitCount > 0 { $0[$1] = $1.spelling.description }
    }

    /// Tokens are kept out of the compressor's table (RFC 7541 §7.1.3), and ids that occur once, because they would
    /// displace what repeats.
    fileprivate var indexing: HPACKIndexing {
        switch self {
        case .accessToken, .newRefreshToken: .neverIndexed
        case .requestID: .nonIndexable
        default: .indexable
        }
    }
}
