import NIOCore
import NIOHPACK

/// Writes the request of an HTTP/2 stream as HTTP/1.1 (RFC 9113 §8.3), so that the same strict parser reads the requests of
/// both. The fields are those of a block that NIOHTTP2 has validated: no value has CR, LF or NUL.
struct StreamRequestWriter {
    /// How the bytes of the stream are written after the head.
    enum Body {
        case none
        /// As they are: `Content-Length` is known, and NIOHTTP2 has compared it with the bytes.
        case bytes
        case chunks
        /// As they are, without an end: the stream is to carry a WebSocket (RFC 8441).
        case tunnel
    }

    let method: Method
    let body: Body

    private let headers: HPACKHeaders
    private var spelling = ""
    private var path = ""
    private var authority: String?
    /// What the stream is to carry after an extended CONNECT.
    private var upgrade: String?

    /// - Parameter hasBody: Whether the stream goes on after the headers.
    /// - Returns: nil without a path that begins with a slash (RFC 9113 §8.3.1); so there are no proxy requests.
    init?(_ headers: HPACKHeaders, hasBody: Bool) {
        self.headers = headers
        var hasLength = false
        for (name, value, _) in headers {
            switch name {
            case ":method": spelling = value
            case ":path": path = value
            case ":authority": authority = value
            case ":protocol": upgrade = value
            case "content-length": hasLength = true
            default: break
            }
        }
        guard path.hasPrefix("/") else { return nil }
        method = spelling == "HEAD" ? .head : .get
        body = upgrade != nil ? .tunnel : !hasBody ? .none : hasLength ? .bytes : .chunks
    }

    func writeHead(to out: inout ByteBuffer) {
        out.writeString(body == .tunnel ? "GET" : spelling)
        out.writeInteger(UInt8.space)
        out.writeString(path)
        out.writeStaticString(" HTTP/1.1\r\n")
        if let authority { out.writeField("Host", authority) }
        var cookies: [String] = []
        for (name, value, _) in headers where !name.hasPrefix(":") {
            switch name {
            case "cookie": cookies.append(value)
            // RFC 9113 §8.3.1: `:authority` takes its place. The key is one of HTTP/1.1 (RFC 8441 §5).
            case "host" where authority != nil, "sec-websocket-key": break
            default: out.writeField(name, value)
            }
        }
        // RFC 9113 §8.2.3: cookies may come in several fields, which other protocols have as one.
        if !cookies.isEmpty { out.writeField("cookie", cookies.joined(separator: "; ")) }
        switch body {
        case .none, .bytes: break
        case .chunks: out.writeStaticString("Transfer-Encoding: chunked\r\n")
        case .tunnel: writeUpgrade(to: &out)
        }
        out.writeStaticString("\r\n")
    }

    /// The fields of a handshake that a stream has no need of, because its HEADERS frames say the same.
    private func writeUpgrade(to out: inout ByteBuffer) {
        let key = (0..<16).map { _ in UInt8.random(in: 0...255) }
        out.writeStaticString("Connection: Upgrade\r\n")
        out.writeField("Upgrade", upgrade ?? "")
        out.writeField("Sec-WebSocket-Key", String(decoding: UpgradeRequest.base64(key), as: UTF8.self))
    }

    func write(_ bytes: ByteBuffer, to out: inout ByteBuffer) {
        // A chunk without bytes would be the last one.
        let isChunk = body == .chunks && bytes.readableBytes > 0
        if isChunk { out.writeChunkSize(bytes.readableBytes) }
        out.writeImmutableBuffer(bytes)
        if isChunk { out.writeStaticString(Chunk.end) }
    }

    /// Writes the end of the body; trailers are dropped, as those of HTTP/1.1 are.
    func writeEnd(to out: inout ByteBuffer) {
        if body == .chunks { out.writeStaticString(Chunk.last) }
    }
}

extension ByteBuffer {
    fileprivate mutating func writeField(_ name: String, _ value: String) {
        writeString(name)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }
}
