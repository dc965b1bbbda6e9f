import Testing
import Values

@Suite struct CivilDateTests {
    @Test func text_isParsedAndFormatted() {
        for text in ["1970-01-01", "2025-11-05", "2024-02-29", "2000-02-29", "1999-12-31", "0001-01-01", "9999-12-31"] {
            #expect(CivilDate(text)?.description == text)
        }
        for text in [
            "", "2025-02-29", "1900-02-29", "2025-13-01", "2025-00-10", "2025-1-05", "2025-11-32", "+025-11-05",
            "2025-11-05Z",
        ] { #expect(CivilDate(text) == nil) }
    }

    @Test func days_areCountedWithoutGap() throws {
        var date = try #require(CivilDate("1896-01-01"))
        let end = try #require(CivilDate("2104-12-31"))
        var (days, month) = (0, date.month)
        while date < end {
            let next = date + 1
            #expect(next.weekday.rawValue == (date.weekday.rawValue + 1) % 7)
            #expect(next.day == date.day + 1 || (next.day == 1 && date.day == month.length))
            (date, month) = (next, next.month)
            days += 1
        }
        #expect(days == 76_335)
    }

    @Test func weekdayAndMonday_areKnown() throws {
        let wednesday = try #require(CivilDate("2025-11-05"))
        #expect(wednesday.weekday == .wednesday)
        #expect(wednesday.monday.description == "2025-11-03")
        #expect(CivilDate("2025-11-09")?.monday.description == "2025-11-03")
        #expect(CivilDate("1969-12-28")?.weekday == .sunday)
    }

    @Test func months_haveTheirLengths() {
        #expect(CivilMonth(year: 2024, month: 2).length == 29)
        #expect(CivilMonth(year: 2026, month: 2).length == 28)
        #expect(CivilMonth(year: 2025, month: 12).next().description == "2026-01")
        #expect(CivilMonth(year: 2026, month: 1).next(-1).last.description == "2025-12-31")
    }
}
