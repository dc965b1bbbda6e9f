import Authentication
import NIOCore

/// The header line that identifies a caller to services, signed for each request.
struct IdentityLine {
    private static let name: StaticString = "X-Madang-Identity: "

    /// The fields before the time.
    private let text: ByteBuffer

    init(_ identity: InternalIdentity) {
        text = ByteBuffer(string: identity.text)
    }

    /// Writes `X-Madang-Identity: …` with its CRLF.
    ///
    /// - Parameters:
    ///   - request: The method and the path, each with a space behind it: the beginning of the request line, as indices
    ///     of the buffer.
    ///   - now: Seconds since 1970.
    func write(for request: Range<Int>, key: CallKey, now: Int64, to out: inout ByteBuffer) {
        out.writeStaticString(Self.name)
        let start = out.writerIndex
        out.writeImmutableBuffer(text)
        out.writeDecimal(Int(now))
        let origin = out.readerIndex
        let code = out.withUnsafeReadableBytes { bytes in
            key.code(
                of: UnsafeRawBufferPointer(rebasing: bytes[request.lowerBound - origin..<request.upperBound - origin]),
                by: UnsafeRawBufferPointer(rebasing: bytes[(start - origin)...])
            )
        }
        out.writeStaticString(".")
        out.writeWithUnsafeMutableBytes(minimumWritableBytes: CallKey.Code.length) { code.write(to: $0) }
        out.writeStaticString("\r\n")
    }
}
