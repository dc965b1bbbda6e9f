import FoundationEssentials
import Testing

@testable import Notifications

/// The forms of `Retry-After` (RFC 9110 10.2.3).
@Suite
struct RetryAfterTests {
    /// 1994-11-06 08:49:37 UTC.
    let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        arguments: [
            ("120", 120), ("0", 0), ("Sun, 06 Nov 1994 08:51:37 GMT", 120), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400), ("", nil), ("-1", nil),
            ("1.5", nil), ("nan", nil), ("soon", nil), ("Sun, 06 Nov 1994", nil),
        ] as [(String, TimeInterval?)]
    )
    func text_isSecondsOrDate(_ text: String, _ seconds: TimeInterval?) {
        #expect(RetryAfter.seconds(text, at: now) == seconds)
    }
}
