import Contracts
import Crypto
import Values

/// An event of the city's calendar.
struct CulturalEvent: Sendable, Equatable {
    /// The city's fields (Culture contract 5.1).
    enum Field: String, CaseIterable, Sendable {
        case category = "CODENAME"
        case district = "GUNAME"
        case title = "TITLE"
        case date = "DATE"
        case place = "PLACE"
        case organization = "ORG_NAME"
        case audience = "USE_TRGT"
        case fee = "USE_FEE"
        case inquiry = "INQUIRY"
        case performers = "PLAYER"
        case programme = "PROGRAM"
        case remarks = "ETC_DESC"
        case link = "ORG_LINK"
        case image = "MAIN_IMG"
        case registered = "RGSTDATE"
        case ticket = "TICKET"
        case start = "STRTDATE"
        case end = "END_DATE"
        case theme = "THEMECODE"
        case longitude = "LOT"
        case latitude = "LAT"
        case isFree = "IS_FREE"
        case homepage = "HMPG_ADDR"
        case time = "PRO_TIME"
    }

    /// The city's values by field name.
    private(set) var fields: [String: String]

    /// - Parameter fields: Unknown fields and NUL characters are dropped.
    init(_ fields: [String: String]) {
        self.fields = [:]
        for field in Field.allCases {
            let text = fields[field.rawValue] ?? ""
            self.fields[field.rawValue] = text.utf8.contains(0) ? text.replacing("\0", with: "") : text
        }
    }

    subscript(_ field: Field) -> String { fields[field.rawValue] ?? "" }

    /// Derived from the identifying fields, since the city has no ID.
    var id: PublicID {
        let identity = [.title, .category, .place, .start, .end].map { self[$0] }.joined(separator: "\u{1f}")
        let digits = SHA256.hash(data: Array(identity.utf8)).prefix(12).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }
        return PublicID(unchecked: digits.joined())
    }

    /// The first day; nil when the city's dates are unreadable.
    var startsOn: CivilDate? { Self.day(self[.start]) ?? Self.day(self[.date]) }

    /// The last day.
    var endsOn: CivilDate? {
        guard let startsOn else { return nil }
        return max(Self.day(self[.end]) ?? startsOn, startsOn)
    }

    var isFree: Bool { self[.isFree] == "무료" }

    /// The position. Accepts swapped coordinates, which the feed has had; nil outside Korea.
    var place: Coordinate? {
        guard let one = Double(self[.latitude]), let other = Double(self[.longitude]) else { return nil }
        return Self.place(one, other) ?? Self.place(other, one)
    }

    /// A URL with https instead of http, which iOS refuses.
    func link(_ field: Field) -> String {
        let text = self[field]
        return text.hasPrefix("http://") ? "https://" + text.dropFirst("http://".count) : text
    }

    private static func place(_ latitude: Double, _ longitude: Double) -> Coordinate? {
        guard (33...39).contains(latitude), (124...132).contains(longitude) else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// `yyyy-MM-dd` with any suffix.
    private static func day(_ text: String) -> CivilDate? { CivilDate(text.prefix(10)) }
}
