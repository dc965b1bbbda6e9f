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

    /// Whether a page of another site sent the request, which browsers say by `Origin` (RFC 6454 §7) and `Sec-Fetch-Site`
    /// (W3C Fetch Metadata). A page of an allowed origin or of the gateway's own host is not foreign, and neither is a
    /// client that is no browser.
    func isForeign(_ head: RequestHead, of bytes: ByteBuffer) -> Bool {
        guard origin(head.fields, of: bytes) == nil else { return false }
        let text = bytes.readableBytesUInt8Span
        if let value = head.fields.value(.origin) { return !Self.isHost(head.host, of: value, in: text) }
        guard let site = head.fields.value(.fetchSite) else { return false }
        return !text.matches("same-origin", in: site) && !text.matches("none", in: site)
    }

    /// Whether an origin, `scheme://host[:port]`, has the host of the Host field. Ports are not compared: the gateway's own
    /// differs from that of the proxy in front of it.
    private static func isHost(_ host: Range<Int>, of origin: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard let slash = origin.last(where: { bytes[$0] == .slash }) else { return false }
        let name = withoutPort((slash + 1)..<origin.upperBound, in: bytes)
        return !name.isEmpty && bytes.equalsIgnoringCase(name, withoutPort(host, in: bytes))
    }

    private static func withoutPort(_ host: Range<Int>, in bytes: Span<UInt8>) -> Range<Int> {
        let bracket = host.last { bytes[$0] == UInt8(ascii: "]") } ?? host.lowerBound
        let colon = host.last { $0 >= bracket && bytes[$0] == .colon }
        return host.lowerBound..<(colon ?? host.upperBound)
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
