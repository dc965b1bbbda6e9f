import Authentication
import NIOCore

/// The header line by which the gateway vouches for somebody, signed anew well before it expires.
struct IdentityLine {
    /// Seconds for which a line is reused. What is left of `InternalIdentity.lifetime` covers the way to the service.
    static let reuse: Int64 = 20

    private var bytes = ByteBuffer()
    private var signedAt = Int64.min

    /// `X-Madang-Identity: …` with its CRLF.
    ///
    /// - Parameter now: seconds since 1970.
    mutating func line(
        _ identity: @autoclosure () -> InternalIdentity,
        secret: InternalSecret,
        now: Int64
    ) -> ByteBuffer {
        // The clock may have been set back; then the line is signed anew as well.
        if signedAt > now || now >= signedAt.addingReportingOverflow(Self.reuse).partialValue {
            bytes = ByteBuffer(string: "X-Madang-Identity: \(identity().signed(with: secret, now: now))\r\n")
            signedAt = now
        }
        return bytes
    }
}
