import NIOCore

/// The security headers of responses, unless the service has set its own.
struct SecurityHeaders: Sendable {
    private static let contentTypeOptions: StaticString = "X-Content-Type-Options: nosniff\r\n"
    private static let frameOptions: StaticString = "X-Frame-Options: DENY\r\n"
    private static let referrerPolicy: StaticString = "Referrer-Policy: no-referrer\r\n"
    private static let overridable: HeaderNames = [.contentTypeOptions, .frameOptions, .referrerPolicy]

    /// All headers, for the common case that the service set none.
    private let all: ByteBuffer
    private let transport: ByteBuffer

    /// - Parameter strictTransport: Whether all clients use TLS (RFC 6797).
    init(strictTransport: Bool) {
        transport = ByteBuffer(
            string: strictTransport ? "Strict-Transport-Security: max-age=31536000\r\n" : ""
        )
        var all = ByteBuffer()
        all.writeStaticString(Self.contentTypeOptions)
        all.writeStaticString(Self.frameOptions)
        all.writeStaticString(Self.referrerPolicy)
        all.writeImmutableBuffer(transport)
        self.all = all
    }

    /// - Parameter present: The headers that the service set.
    func write(to buffer: inout ByteBuffer, besides present: HeaderNames = []) {
        guard present.intersects(Self.overridable) else {
            buffer.writeImmutableBuffer(all)
            return
        }
        if !present.contains(.contentTypeOptions) { buffer.writeStaticString(Self.contentTypeOptions) }
        if !present.contains(.frameOptions) { buffer.writeStaticString(Self.frameOptions) }
        if !present.contains(.referrerPolicy) { buffer.writeStaticString(Self.referrerPolicy) }
        buffer.writeImmutableBuffer(transport)
    }
}
