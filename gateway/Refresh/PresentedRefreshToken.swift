import NIOCore

/// The refresh token of a request: in the header `RefreshToken` or `X-Refresh-Token`, or, from a web page, in the
/// cookie `refresh_token`.
struct PresentedRefreshToken {
    var token: ByteBuffer
    var isInCookie: Bool

    /// Finds the refresh token; nil if there is none.
    ///
    /// - Parameter bytes: The bytes of the request head.
    init?(_ fields: HeaderFields, of bytes: ByteBuffer) {
        if let value = fields.value(.refreshToken) ?? fields.value(.newRefreshToken), !value.isEmpty {
            self.init(value, of: bytes, isInCookie: false)
            return
        }
        for field in fields.lines where field.name == .cookie {
            guard let value = CookieField.refreshToken(in: field.value, of: bytes.readableBytesUInt8Span) else {
                continue
            }
            self.init(value, of: bytes, isInCookie: true)
            return
        }
        return nil
    }

    private init?(_ value: Range<Int>, of bytes: ByteBuffer, isInCookie: Bool) {
        guard let token = bytes.getSlice(at: bytes.readerIndex + value.lowerBound, length: value.count) else {
            return nil
        }
        self.token = token
        self.isInCookie = isInCookie
    }
}
