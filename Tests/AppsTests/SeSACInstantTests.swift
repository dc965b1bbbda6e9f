import Apps
import FoundationEssentials
import Testing

@Suite struct SeSACInstantTests {
    @Test func text_alwaysHasMilliseconds() {
        for (seconds, text) in [
            (0.0, "1970-01-01T00:00:00.000Z"), (1_760_171_400.123, "2025-10-11T08:30:00.123Z"),
            (951_782_399.9996, "2000-02-29T00:00:00.000Z"), (4_102_444_799.999, "2099-12-31T23:59:59.999Z"),
            (-0.001, "1969-12-31T23:59:59.999Z"),
        ] { #expect(SeSACInstant(Date(timeIntervalSince1970: seconds)).text == text) }
    }

    /// Foundation truncates below a millisecond, where a binary fraction may be slightly too small.
    @Test func text_equalsFoundationsFormat() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for step in 0..<2000 {
            let date = Date(timeIntervalSince1970: Double(step) * 2_000_003.25 + 0.0072)
            #expect(SeSACInstant(date).text == date.formatted(style))
        }
    }
}
