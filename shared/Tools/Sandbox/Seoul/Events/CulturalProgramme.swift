import Districts
import Values

/// The sandbox's calendar of invented events, several weeks before and after a day. Each event has a fixed date and
/// place; every day the oldest are dropped and new ones added.
enum CulturalProgramme {
    /// The range of start dates in days relative to today.
    private static let days = -45...75
    private static let perDay = 4

    /// All events of the calendar on a day, the latest start first.
    static func rows(on today: CivilDate) -> [CulturalEventRow] {
        days.reversed().flatMap { offset in (0..<perDay).map { row(today + offset, $0) } }
    }

    private static func row(_ day: CivilDate, _ index: Int) -> CulturalEventRow {
        let number = day.dayNumber * perDay + index
        let kind = CulturalEventKind.all[number % CulturalEventKind.all.count]
        let quarter = Neighbourhood.all[number * 61 % Neighbourhood.all.count]
        let (subject, isFree) = (kind.subjects[number / 3 % kind.subjects.count], number % 5 < 3)
        let end = day + kind.lengths[number % kind.lengths.count]
        let venue = "\(quarter.district.dropLast()) \(kind.venue)"
        let code = 100_000 + number
        return CulturalEventRow(
            category: kind.name,
            district: quarter.district,
            title: "[\(quarter.district)] 제\(number % 40 + 1)회 \(subject)",
            date: "\(day)~\(end)",
            place: venue,
            organization: number % 4 == 0 ? "서울특별시" : "\(quarter.district)문화재단",
            audience: kind.audience,
            fee: isFree ? "" : "전석 \(number % 9 + 1),000원",
            inquiry: "02-120",
            players: kind.players,
            programme: "",
            remarks: "",
            link: "http://culture.seoul.go.kr/events/\(code)?from=open&lang=ko",
            image: "http://culture.seoul.go.kr/images/\(code).jpg",
            registered: "\(day + -20)",
            ticket: number % 3 == 0 ? "시민" : "기관",
            start: "\(day) 00:00:00.0",
            end: "\(end) 00:00:00.0",
            theme: kind.theme,
            longitude: "\(quarter.longitude)",
            latitude: "\(quarter.latitude)",
            isFree: isFree ? "무료" : "유료",
            homepage: "https://culture.seoul.go.kr/culture/culture/cultureEvent/view.do?cultcode=\(code)&menuNo=200010",
            time: "\(10 + number % 10):00"
        )
    }
}
