import NIOCore

/// Parses the cookies of a `Cookie` field (RFC 6265 §4.2.1) to find the refresh token among them.
enum CookieField {
    static let refreshToken: StaticString = "refresh_token"

    /// The range of the refresh token in the value of a `Cookie` field.
    static func refreshToken(in value: Range<Int>, of bytes: Span<UInt8>) -> Range<Int>? {
        var rest = value
        while let pair = nextPair(&rest, of: bytes) {
            guard isRefreshToken(pair, of: bytes) else { continue }
            return bytes.trimmed((pair.lowerBound + refreshToken.utf8CodeUnitCount + 1)..<pair.upperBound)
        }
        return nil
    }

    /// Writes a `Cookie` line with the other cookies, or nothing if there are none.
    static func write(_ value: Range<Int>, of bytes: Span<UInt8>, to buffer: inout ByteBuffer) {
        var rest = value
        var isFirst = true
        while let pair = nextPair(&rest, of: bytes) {
            guard !pair.isEmpty, !isRefreshToken(pair, of: bytes) else { continue }
            buffer.writeStaticString(isFirst ? "Cookie: " : "; ")
            buffer.writeBytes(bytes.bytes.extracting(pair))
            isFirst = false
        }
        if !isFirst { buffer.writeStaticString("\r\n") }
    }

    /// Removes the next `name=value` pair from the front.
    private static func nextPair(_ rest: inout Range<Int>, of bytes: Span<UInt8>) -> Range<Int>? {
        guard !rest.isEmpty else { return nil }
        var end = rest.lowerBound
        while end < rest.upperBound, bytes[end] != UInt8(ascii: ";") { end += 1 }
        let pair = bytes.trimmed(rest.lowerBound..<end)
        rest = min(end + 1, rest.upperBound)..<rest.upperBound
        return pair
    }

    private static func isRefreshToken(_ pair: Range<Int>, of bytes: Span<UInt8>) -> Bool {
        let end = pair.lowerBound + refreshToken.utf8CodeUnitCount
        return end < pair.upperBound && bytes[end] == UInt8(ascii: "=")
            && bytes.matches(refreshToken, in: pair.lowerBound..<end)
    }
}
