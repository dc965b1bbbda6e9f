import NIOCore

/// Parses request heads from the received bytes of a connection. The storage is reused for every request.
final class RequestReader {
    /// Received bytes that have not been consumed; they begin with the current head until `consumeHead`.
    var bytes = ByteBuffer()
    private(set) var head = RequestHead()
    private(set) var target = RequestTarget()
    /// The size, in bytes, of a complete head that has not been consumed; otherwise 0.
    private(set) var headSize = 0
    private var scanner = HeadScanner()

    func append(_ received: ByteBuffer) {
        if bytes.readableBytes == 0 {
            bytes = received
        } else {
            bytes.writeImmutableBuffer(received)
        }
    }

    /// Releases an empty buffer, so that the channel reads the next bytes into its own.
    func releaseIfEmpty() {
        if bytes.readableBytes == 0 { bytes = ByteBuffer() }
    }

    /// Parses the next head.
    ///
    /// - Returns: Whether the head is complete.
    func readHead(_ limits: Limits) throws(HTTPFault) -> Bool {
        let held = bytes
        let span = held.readableBytesUInt8Span
        guard let end = try scanner.end(of: span, sizeLimit: limits.headSize, lineLimit: limits.headLines) else {
            return false
        }
        scanner.reset()
        let headBytes = span.extracting(0..<end)
        try head.read(headBytes, targetLimit: limits.targetSize)
        try target.read(headBytes.extracting(OriginForm.range(of: head, in: headBytes)))
        headSize = end
        return true
    }

    /// The bytes of the head.
    var headBytes: ByteBuffer {
        bytes.getSlice(at: bytes.readerIndex, length: headSize) ?? ByteBuffer()
    }

    func consumeHead() {
        bytes.moveReaderIndex(forwardBy: headSize)
        headSize = 0
    }

    /// Decides the request; see `RequestPolicy.decide`.
    func decide(_ policy: RequestPolicy, _ request: RequestPolicy.RequestInfo) -> RequestPolicy.Decision {
        policy.decide(head, &target, request)
    }
}
