import NIOCore
import ServiceKit

/// Writes responses for clients: the heads of those of services, and those of the gateway with their bodies.
struct ResponseHeadWriter {
    let headers: SecurityHeaders
    /// Whether web pages of other origins may call, so that a cache must not give one the response to another.
    let variesByOrigin: Bool

    /// Writes the head of a service's response.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of that head.
    ///   - length: The length of the response's body; in a response to HEAD, or with status 304, that of the response to a
    ///     GET.
    ///   - coding: What the gateway does with the body.
    ///   - closes: Whether the connection closes after the response.
    func write(
        _ head: ResponseHead,
        _ bytes: ByteBuffer,
        _ length: BodyLength,
        _ exchange: HTTPExchange,
        _ coding: ContentCoding,
        closes: Bool,
        to out: inout ByteBuffer
    ) {
        let span = bytes.readableBytesUInt8Span
        out.writeStaticString("HTTP/1.1 ")
        out.writeBytes(span.bytes.extracting(head.statusText))
        out.writeStaticString("\r\n")
        // Compressed content is equivalent to the service's, but not the same bytes (RFC 9110 §8.8.1).
        let weakens = coding == .gzip || head.status == 304 && exchange.hasWeakTag
        out.writeFields(head.fields, of: span) { exchange.drops($0) || (weakens && $0 == .entityTag) }
        if weakens, let tag = head.fields.value(.entityTag) { out.writeWeakTag(span, tag) }
        if coding != .none { out.writeStaticString(Self.varyLine) }
        if coding == .gzip { out.writeStaticString(Self.codingLine) }
        switch length {
        case .bytes(let size): out.writeContentLength(size)
        case .chunked, .untilClose: out.writeStaticString("Transfer-Encoding: chunked\r\n")
        case .none: break
        }
        headers.write(to: &out, besides: head.fields.present)
        // What one person is answered is kept by no cache, unless the service says how long it may be. Renewed tokens bring
        // the same line.
        if exchange.principal != nil, exchange.renewed == nil, !head.fields.present.contains(.cacheControl) {
            out.writeStaticString("Cache-Control: no-store\r\n")
        }
        writeCommonLines(exchange, closes: closes, to: &out)
    }

    /// Writes a response of the gateway.
    ///
    /// - Parameter dateLine: The `Date` header line with its CRLF.
    func write(
        _ response: LocalResponse,
        _ exchange: HTTPExchange,
        dateLine: ByteBuffer,
        closes: Bool,
        to out: inout ByteBuffer
    ) {
        out.writeStaticString("HTTP/1.1 ")
        out.writeDecimal(response.status)
        out.writeInteger(UInt8.space)
        out.writeString(response.reason)
        out.writeStaticString("\r\n")
        out.writeImmutableBuffer(dateLine)
        if let type = response.contentType {
            out.writeStaticString("Content-Type: ")
            out.writeString(type)
            out.writeStaticString("\r\n")
        }
        out.writeString(response.headers)
        if let tag = response.entityTag { out.writeString("ETag: \(tag.text)\r\n") }
        if response.isNegotiated { out.writeStaticString(Self.varyLine) }
        if response.isCompressed { out.writeStaticString(Self.codingLine) }
        // The length of a 304 would be that of the content that the client has (RFC 9110 §8.6).
        if response.status != 204, response.status != 304 { out.writeContentLength(response.body.readableBytes) }
        headers.write(to: &out)
        writeCommonLines(exchange, closes: closes, to: &out)
        if exchange.method != .head { out.writeImmutableBuffer(response.body) }
    }

    /// Writes the head of a response that accepts a WebSocket handshake.
    func writeSwitching(_ head: ResponseHead, _ bytes: ByteBuffer, _ exchange: HTTPExchange, to out: inout ByteBuffer) {
        out.writeStaticString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n")
        out.writeFields(head.fields, of: bytes.readableBytesUInt8Span) { exchange.drops($0) }
        if let renewed = exchange.renewed { out.writeImmutableBuffer(renewed.lines) }
        out.writeStaticString("X-Request-Id: ")
        out.writeHex(exchange.trace.request)
        out.writeStaticString("\r\n\r\n")
    }

    private static let varyLine: StaticString = "Vary: Accept-Encoding\r\n"
    private static let codingLine: StaticString = "Content-Encoding: gzip\r\n"

    /// Writes the last header lines and the end of the head.
    private func writeCommonLines(_ exchange: HTTPExchange, closes: Bool, to out: inout ByteBuffer) {
        out.writeStaticString("X-Request-Id: ")
        out.writeHex(exchange.trace.request)
        out.writeStaticString("\r\n")
        if let renewed = exchange.renewed { out.writeImmutableBuffer(renewed.lines) }
        if let origin = exchange.origin {
            CrossOriginPolicy.write(origin, to: &out)
        } else if variesByOrigin {
            out.writeStaticString("Vary: Origin\r\n")
        }
        out.writeStaticString(closes ? "Connection: close\r\n\r\n" : "\r\n")
    }
}

extension ByteBuffer {
    /// Writes an entity tag as a weak one (RFC 9110 §8.8.3).
    fileprivate mutating func writeWeakTag(_ bytes: Span<UInt8>, _ tag: Range<Int>) {
        writeStaticString(bytes.spells("W/", in: tag.prefix(2)) ? "ETag: " : "ETag: W/")
        writeBytes(bytes.bytes.extracting(tag))
        writeStaticString("\r\n")
    }
}
