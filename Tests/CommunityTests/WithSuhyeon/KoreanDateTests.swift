import FoundationEssentials
import Testing
import Values

@testable import Community

@Suite struct KoreanDateTests {
    private static func instant(_ day: String, _ hour: Int, _ minute: Int) throws -> Date {
        SeoulTime.instant(try #require(CivilDate(day)), minute: hour * 60 + minute)
    }

    @Test(arguments: [
        ("2025-01-25", 14, 30, "1월 25일 (토) 오후 2시 30분"),
        ("2026-12-31", 0, 0, "12월 31일 (목) 오전 12시 00분"),
        ("2026-11-01", 12, 5, "11월 1일 (일) 오후 12시 05분"),
        ("2024-02-29", 11, 59, "2월 29일 (목) 오전 11시 59분"),
        ("2025-06-02", 23, 9, "6월 2일 (월) 오후 11시 09분"),
    ])
    func longDate_isFormattedInKorean(day: String, hour: Int, minute: Int, text: String) throws {
        #expect(KoreanDate.long(try Self.instant(day, hour, minute)) == text)
    }

    @Test func shortDateAndChip_useKoreanDay() throws {
        #expect(KoreanDate.short(try Self.instant("2025-01-25", 0, 0)) == "1월 25일")
        // A minute before midnight in Korea is the afternoon in London.
        #expect(KoreanDate.short(Date(timeIntervalSince1970: 1_737_730_740)) == "1월 24일")
        #expect(KoreanDate.short(Date(timeIntervalSince1970: 1_737_730_800)) == "1월 25일")
        let chips = (0..<7).map { KoreanDate.chip(CivilDate(dayNumber: 20_113 + $0)) }
        #expect(chips == ["1/25 (토)", "1/26 (일)", "1/27 (월)", "1/28 (화)", "1/29 (수)", "1/30 (목)", "1/31 (금)"])
    }

    @Test(arguments: [("1/25 (토)", 1, 25), ("12/31 (월)", 12, 31), ("2/29", 2, 29), ("01/05 (일)", 1, 5)])
    func chip_isParsed(text: String, month: Int, day: Int) {
        #expect(KoreanDate.day(ofChip: text) == YearlyDay(month: month, day: day))
    }

    @Test(arguments: [
        "내일", "13/1 (토)", "2/30 (일)", "0/1", "1/0", "1", "1/2/3", "/", "1/", "-1/2", "1 /2", "١/٢", "001/2", " 1/25",
    ])
    func invalidChip_isNil(text: String) {
        #expect(KoreanDate.day(ofChip: text) == nil)
    }

    @Test(arguments: [
        ("2025-01-25T18:00", 0.0), ("2025-01-25T18:00:30", 30), ("2025-01-25T18:00:30.5", 30.5),
        ("2025-01-25T18:00:00.123456789", 0.123456789),
    ])
    func localTime_isParsedAsKoreanTime(text: String, seconds: Double) throws {
        let read = try #require(KoreanDate.instant(text))
        let wanted = try Self.instant("2025-01-25", 18, 0).addingTimeInterval(seconds)
        #expect(abs(read.timeIntervalSince(wanted)) < 0.000_01)
    }

    @Test(arguments: [
        "", "2025-01-25", "2025-01-25 18:00", "2025-01-25T18:00Z", "2025-01-25T18:00+09:00", "2025-02-29T18:00",
        "2025-01-25T24:00", "2025-01-25T18:60", "2025-01-25T18:00:60", "2025-01-25T1:00", "2025-01-25T18",
        "2025-01-25T18:00:00.", "2025-01-25T18:00:00.1234567890", "2025-01-25T18:00T", "25-01-25T18:00",
    ])
    func invalidLocalTime_isNil(text: String) {
        #expect(KoreanDate.instant(text) == nil)
    }
}
