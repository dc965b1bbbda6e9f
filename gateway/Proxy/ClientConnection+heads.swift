import Apps
import NIOCore

// Serialization of heads: request heads for services and response heads for clients.

extension ClientConnection {
    /// Writes the request head that is sent to the service.
    func writeUpstreamHead(_ exchange: HTTPExchange, _ route: Route) {
        var out = ByteBuffer()
        swap(&out, &upstreamOut)
        out.clear(minimumCapacity: headSize + 512)
        let held = inbound
        let bytes = held.readableBytesUInt8Span
        out.writeBytes(bytes.bytes.extracting(head.methodRange))
        out.writeInteger(UInt8.space)
        out.writeBytes(target.bytes)
        out.writeStaticString(" HTTP/1.1\r\nHost: ")
        out.writeBytes(bytes.bytes.extracting(head.host))
        out.writeStaticString("\r\n")
        var dropped = HeaderNames.droppedFromRequests
        let operation = route.operation
        if [.user, .page].contains(operation.access) || exchange.renewed != nil { _ = dropped.insert(.authorization) }
        if operation.refreshToken != .forwarded { dropped.formUnion(.carryingRefreshTokens) }
        out.writeFields(head.fields, of: bytes) { dropped.contains($0) }
        if dropped.contains(.cookie), head.fields.present.contains(.cookie) {
            for field in head.fields.lines where field.name == .cookie && !field.isNominated {
                CookieField.write(field.value, of: bytes, to: &out)
            }
        }
        switch head.body {
        case .bytes(let size): out.writeContentLength(size)
        case .chunked: out.writeStaticString("Transfer-Encoding: chunked\r\n")
        case .none, .untilClose:
            if [.post, .put, .patch].contains(head.method) { out.writeContentLength(0) }
        }
        out.writeImmutableBuffer(worker.identity(exchange.principal, app: route.app))
        out.writeImmutableBuffer(addressLine)
        out.writeTrace(exchange.trace)
        out.writeStaticString("Via: 1.1 madang\r\n")
        if exchange.upgrade != nil { out.writeStaticString("Connection: Upgrade\r\nUpgrade: websocket\r\n") }
        out.writeStaticString("\r\n")
        upstreamOut = out
    }

    /// Writes the head of a service's response for the client.
    func writeAnswerHead(_ answer: ResponseHead, _ bytes: ByteBuffer, _ length: BodyLength, _ exchange: HTTPExchange) {
        let span = bytes.readableBytesUInt8Span
        clientOut.writeStaticString("HTTP/1.1 ")
        clientOut.writeBytes(span.bytes.extracting(answer.statusText))
        clientOut.writeStaticString("\r\n")
        clientOut.writeFields(answer.fields, of: span) { exchange.drops($0) }
        writeLength(answer, span, length, exchange)
        worker.core.headers.write(to: &clientOut, besides: answer.fields.present)
        writeCommonLines(exchange)
        clientOut.writeStaticString("\r\n")
    }

    private func writeLength(
        _ answer: ResponseHead,
        _ bytes: Span<UInt8>,
        _ length: BodyLength,
        _ exchange: HTTPExchange
    ) {
        switch length {
        case .bytes(let size): clientOut.writeContentLength(size)
        case .chunked: clientOut.writeStaticString("Transfer-Encoding: chunked\r\n")
        case .untilClose:
            exchange.chunksAnswer = true
            clientOut.writeStaticString("Transfer-Encoding: chunked\r\n")
        case .none:
            // In a response to HEAD, or with status 304, the length describes the response to a GET.
            guard exchange.method == .head || answer.status == 304, let length = try? answer.fields.statedLength(bytes)
            else { return }
            if case .bytes(let size) = length { clientOut.writeContentLength(size) }
            if case .chunked = length { clientOut.writeStaticString("Transfer-Encoding: chunked\r\n") }
        }
    }

    /// Writes a response that the gateway generates itself.
    func writeLocal(_ answer: LocalResponse, _ exchange: HTTPExchange) {
        clientOut.writeStaticString("HTTP/1.1 ")
        clientOut.writeDecimal(answer.status)
        clientOut.writeInteger(UInt8.space)
        clientOut.writeString(answer.reason)
        clientOut.writeStaticString("\r\n")
        clientOut.writeImmutableBuffer(worker.clock.dateLine)
        if let type = answer.contentType {
            clientOut.writeStaticString("Content-Type: ")
            clientOut.writeString(type)
            clientOut.writeStaticString("\r\n")
        }
        clientOut.writeString(answer.headers)
        if answer.status != 204 { clientOut.writeContentLength(answer.body.readableBytes) }
        worker.core.headers.write(to: &clientOut)
        writeCommonLines(exchange)
        clientOut.writeStaticString("\r\n")
        if exchange.method != .head { clientOut.writeImmutableBuffer(answer.body) }
    }

    private func writeCommonLines(_ exchange: HTTPExchange) {
        clientOut.writeStaticString("X-Request-Id: ")
        clientOut.writeHex(exchange.trace.request)
        clientOut.writeStaticString("\r\n")
        if let renewed = exchange.renewed { clientOut.writeImmutableBuffer(renewed.lines) }
        if let origin = exchange.origin { CrossOriginPolicy.write(origin, to: &clientOut) }
        if exchange.closes { clientOut.writeStaticString("Connection: close\r\n") }
    }
}

extension HTTPExchange {
    /// Whether a header field of a service's response is withheld from the client.
    func drops(_ name: HeaderName) -> Bool {
        HeaderNames.droppedFromAnswers.contains(name) || (name == .cacheControl && renewed != nil)
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

    fileprivate mutating func writeContentLength(_ size: Int) {
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
        writeStaticString(trace.sampled ? "-01\r\nX-Request-Id: " : "-00\r\nX-Request-Id: ")
        writeHex(trace.request)
        writeStaticString("\r\n")
    }
}
