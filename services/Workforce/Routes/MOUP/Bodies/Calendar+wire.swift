import Values

/// `yyyy-MM-dd` (MOUP contract 1.1).
struct WireDate: Codable, Equatable, Sendable {
    var date: CivilDate

    init(_ date: CivilDate) {
        self.date = date
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = CivilDate(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no day")
        }
        self.date = date
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date.description)
    }
}

/// `MONDAY` … `SUNDAY`.
enum DayOfWeek: String, Codable, Sendable, CaseIterable {
    case monday = "MONDAY"
    case tuesday = "TUESDAY"
    case wednesday = "WEDNESDAY"
    case thursday = "THURSDAY"
    case friday = "FRIDAY"
    case saturday = "SATURDAY"
    case sunday = "SUNDAY"

    init(_ weekday: Weekday) {
        self = Self.allCases[weekday.rawValue]
    }

    var weekday: Weekday { Weekday.allCases[Self.allCases.firstIndex(of: self) ?? 0] }
}
