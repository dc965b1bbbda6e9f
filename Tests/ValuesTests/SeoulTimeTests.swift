import FoundationEssentials
import Testing
import Values

@Suite struct SeoulTimeTests {
    /// 2025-11-05 00:00 in Seoul is 15:00 of the day before in UTC.
    private let midnight = Date(timeIntervalSince1970: 1_762_268_400)

    @Test(arguments: [
        (-1.0, "2025-11-04", 1439), (-0.25, "2025-11-04", 1439), (0, "2025-11-05", 0), (59.9, "2025-11-05", 0),
        (60, "2025-11-05", 1), (86_399, "2025-11-05", 1439), (86_400, "2025-11-06", 0),
    ])
    func instant_hasSeoulDayAndMinute(seconds: Double, day: String, minute: Int) {
        #expect(SeoulTime.date(of: midnight + seconds).description == day)
        #expect(SeoulTime.minute(of: midnight + seconds) == minute)
    }

    @Test func instant_before1970_hasSeoulDayAndMinute() {
        let early = Date(timeIntervalSince1970: -9 * 3600 - 1)
        #expect(SeoulTime.date(of: early).description == "1969-12-31")
        #expect(SeoulTime.minute(of: early) == 1439)
    }

    @Test func dayAndMinute_haveInstant() throws {
        let day = try #require(CivilDate("2025-11-05"))
        #expect(SeoulTime.instant(day) == midnight)
        #expect(SeoulTime.instant(day, minute: 90) == midnight + 5400)
    }

    @Test(arguments: [(0.0, 0), (59.9, 0), (60, 1), (3_599.9, 59), (-60, 0)])
    func minutes_areWhole(seconds: Double, minutes: Int) {
        #expect(SeoulTime.minutes(from: midnight, to: midnight + seconds) == minutes)
    }

    @Test func wholeSeconds_dropFractions() {
        #expect(SeoulTime.wholeSeconds(midnight + 0.999) == midnight)
        #expect(SeoulTime.wholeSeconds(midnight - 0.001) == midnight - 1)
    }
}
