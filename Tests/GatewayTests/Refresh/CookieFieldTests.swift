import NIOCore
import Testing

@testable import Gateway

struct CookieFieldTests {
    private func token(_ value: String) -> String? {
        let bytes = ByteBuffer(string: value)
        return CookieField.refreshToken(in: 0..<bytes.readableBytes, of: bytes.readableBytesUInt8Span)
            .flatMap { bytes.getString(at: $0.lowerBound, length: $0.count) }
    }

    private func others(_ value: String) -> String {
        let bytes = ByteBuffer(string: value)
        var out = ByteBuffer()
        CookieField.write(0..<bytes.readableBytes, of: bytes.readableBytesUInt8Span, to: &out)
        return String(buffer: out)
    }

    @Test(arguments: [
        ("refresh_token=a.b.c", "a.b.c"), ("x=1; refresh_token=t; y=2", "t"), ("x=1;refresh_token=t", "t"),
        ("refresh_token=", ""), ("refresh_token=a=b", "a=b"), (" ;; refresh_token=t ;", "t"),
    ])
    func refreshToken_isFound(_ value: String, _ expected: String) {
        #expect(token(value) == expected)
    }

    @Test(arguments: ["", ";", "refresh_token", "xrefresh_token=t", "refresh_tokens=t", "x=refresh_token=t", "=t"])
    func otherCookies_areNotRefreshToken(_ value: String) {
        #expect(token(value) == nil)
    }

    @Test(arguments: [
        ("refresh_token=t", ""), ("a=1; refresh_token=t; b=2", "Cookie: a=1; b=2\r\n"), ("a=1", "Cookie: a=1\r\n"),
        ("refresh_token=t; refresh_token=u", ""), (";a=1;;b;", "Cookie: a=1; b\r\n"), ("", ""),
    ])
    func write_omitsRefreshToken(_ value: String, _ expected: String) {
        #expect(others(value) == expected)
    }
}
