import NIOCore

/// The web origins that may call the gateway (the Fetch standard's CORS protocol). Mobile clients send no origin.
struct CrossOriginPolicy: Sendable {
    private let origins: [[UInt8]]

    init(origins: [String]) {
        self.origins = origins.map { Array($0.utf8) }
    }

    /// The origin of a request, if it is allowed to read responses.
    func origin(_ fields: HeaderFields, of bytes: ByteBuffer) -> ByteBuffer? {
        guard !origins.isEmpty, let value = fields.value(.origin),
            let origin = bytes.getSlice(at: bytes.readerIndex + value.lowerBound, length: value.count),
            origins.contains(where: { origin.readableBytesView.elementsEqual($0) })
        else { return nil }
        return origin
    }

    /// Whether a request is a CORS preflight.
    static func isPreflight(_ head: RequestHead) -> Bool {
        head.method == .options && head.fields.present.contains(.origin)
            && head.fields.present.contains(.accessControlRequestMethod)
    }

    /// Writes the CORS lines of a response to this origin.
    static func write(_ origin: ByteBuffer, to buffer: inout ByteBuffer) {
        buffer.writeStaticString("Access-Control-Allow-Origin: ")
        buffer.writeImmutableBuffer(origin)
        buffer.writeStaticString(
            """
            \r\nAccess-Control-Allow-Credentials: true\r\n\
            Access-Control-Expose-Headers: X-Request-Id, X-Access-Token, X-Refresh-Token, Location\r\nVary: Origin\r\n
            """
        )
    }

    /// The additional lines of the response to a preflight.
    static let preflightLines = """
        Access-Control-Allow-Methods: GET, POST, PUT, PATCH, DELETE\r\n\
        Access-Control-Allow-Headers: Authorization, Content-Type, SeSACKey, RefreshToken, Refresh, X-Refresh-Token, \
        Idempotency-Key\r\nAccess-Control-Max-Age: 600\r\n
        """
}
