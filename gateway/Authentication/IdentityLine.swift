import Authentication
import NIOCore

/// The signed header line that identifies a caller to services. It is signed again well before it expires.
struct IdentityLine {
    /// How long a line is reused, in seconds. The rest of `InternalIdentity.lifetime` covers the transit to the
    /// service.
    static let reuse: Int64 = 20

    private var bytes = ByteBuffer()
    private var signedAt = Int64.min

    /// `X-Madang-Identity: …` with its CRLF.
    ///
    /// - Parameter now: Seconds since 1970.
    mutating func line(
        _ identity: @autoclosure () -> InternalIdentity,
        secret: InternalSecret,
        now: Int64
    ) -> ByteBuffer {
        // If the clock has been set back, the line is signed again as well.
        if signedAt > now || now >= signedAt.addingReportingOverflow(Self.reuse).partialValue {
            bytes = ByteBuffer(string: "X-Madang-Identity: \(identity().signed(with: secret, now: now))\r\n")
            signedAt = now
        }
        return bytes
    }
}
