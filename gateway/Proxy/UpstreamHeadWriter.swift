import Apps
import Contracts
import NIOCore

/// Writes the heads of requests for services.
enum UpstreamHeadWriter {
    static func write(
        _ request: RequestReader,
        _ exchange: HTTPExchange,
        _ route: Route,
        _ origin: RequestOrigin,
        of loop: EventLoopContext,
        to out: inout ByteBuffer
    ) {
        let (head, received) = (request.head, request.bytes)
        let bytes = received.readableBytesUInt8Span
        let start = out.writerIndex
        out.writeBytes(bytes.bytes.extracting(head.methodRange))
        out.writeInteger(UInt8.space)
        out.writeBytes(request.target.bytes)
        out.writeInteger(UInt8.space)
        let signed = start..<out.writerIndex
        out.writeStaticString("HTTP/1.1\r\nHost: ")
        out.writeBytes(bytes.bytes.extracting(head.host))
        out.writeStaticString("\r\n")
        writeFields(head, bytes, route, isRenewed: exchange.renewed != nil, to: &out)
        switch head.body {
        case .bytes(let size): out.writeContentLength(size)
        case .chunked: out.writeStaticString("Transfer-Encoding: chunked\r\n")
        case .none, .untilClose:
            if [.post, .put, .patch].contains(head.method) { out.writeContentLength(0) }
        }
        if let key = loop.keys[route.operation.service] {
            let identity = loop.identity(exchange.principal, app: route.app)
            identity.write(for: signed, key: key, now: loop.clock.seconds, to: &out)
        }
        out.writeImmutableBuffer(origin.line)
        out.writeTrace(exchange.trace)
        out.writeStaticString("Via: 1.1 madang\r\n")
        if exchange.upgrade != nil {
            out.writeStaticString("Connection: Upgrade\r\nUpgrade: websocket\r\n")
            out.writeString("\(SocketMove.field): 1\r\n")
        }
        out.writeStaticString("\r\n")
    }

    /// Writes the client's header lines, except those that the gateway rewrites and those with tokens that the service
    /// does not need.
    private static func writeFields(
        _ head: RequestHead,
        _ bytes: Span<UInt8>,
        _ route: Route,
        isRenewed: Bool,
        to out: inout ByteBuffer
    ) {
        var dropped = HeaderNames.droppedFromRequests
        if [.user, .page].contains(route.operation.access) || isRenewed { _ = dropped.insert(.authorization) }
        // A 304 would let the client's cache answer, maybe without the tokens.
        if isRenewed { _ = dropped.insert(.ifNoneMatch) }
        if route.operation.refreshToken != .forwarded { dropped.formUnion(.carryingRefreshTokens) }
        out.writeFields(head.fields, of: bytes) { dropped.contains($0) }
        guard dropped.contains(.cookie), head.fields.present.contains(.cookie) else { return }
        for field in head.fields.lines where field.name == .cookie && !field.isNominated {
            CookieField.write(field.value, of: bytes, to: &out)
        }
    }
}

extension ByteBuffer {
    /// Copies the header lines that are neither dropped nor hop-by-hop; adjacent lines are copied together.
    mutating func writeFields(
        _ fields: HeaderFields,
        of bytes: Span<UInt8>,
        except isDropped: (HeaderName) -> Bool
    ) {
        var run = 0..<0
        for field in fields.lines where !(field.isNominated || isDropped(field.name)) {
            if field.line.lowerBound == run.upperBound {
                run = run.lowerBound..<field.line.upperBound
            } else {
                writeBytes(bytes.bytes.extracting(run))
                run = field.line
            }
        }
        writeBytes(bytes.bytes.extracting(run))
    }

    mutating func writeContentLength(_ size: Int) {
        writeStaticString("Content-Length: ")
        writeDecimal(size)
        writeStaticString("\r\n")
    }

    fileprivate mutating func writeTrace(_ trace: TraceIDs) {
        writeStaticString("traceparent: 00-")
        writeHex(trace.trace.0)
        writeHex(trace.trace.1)
        writeInteger(UInt8(ascii: "-"))
        writeHex(trace.request)
        writeStaticString(trace.isSampled ? "-01" : "-00")
        writeStaticString("\r\nX-Request-Id: ")
        writeHex(trace.request)
        writeStaticString("\r\n")
    }
}
