import Testing

@testable import Seats

@Suite struct WallTimeTests {
    @Test(arguments: [
        (1_749_657_013_843_180, "2025-06-11T15:50:13.843180"),
        (0, "1970-01-01T00:00:00.000000"),
        (-1, "1969-12-31T23:59:59.999999"),
        (951_782_400_000_000, "2000-02-29T00:00:00.000000"),
        (1_709_164_800_000_005, "2024-02-29T00:00:00.000005"),
        (4_107_542_399_000_000, "2100-02-28T23:59:59.000000"),
    ])
    func fullText_hasSixDigitsAndNoZone(microseconds: Int64, text: String) {
        #expect(WallTime(microseconds).full == text)
    }

    @Test func wallTime_inSeoul_isNineHoursAhead() {
        let evening = WallTime(1_749_657_013_843_180, in: .seoul)
        #expect(evening.time == "00:50")
        #expect(evening.dayOfYear == "06.12")
        #expect(WallTime(1_749_657_013_843_180).minute == "2025-06-11 15:50")
    }
}
