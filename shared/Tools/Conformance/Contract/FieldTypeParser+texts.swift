extension FieldTypeParser {
    /// The form that follows `string`; nil for one that is not known.
    static func text(_ rest: String) -> TextForm? {
        if let form = forms[rest] { return form }
        if let name = rest.stripping("enum ") { return enumeration(name) }
        if let count = rest.firstMatch(of: /^\(?<=(\d+)\)?$/).flatMap({ Int($0.1) }) { return .atMost(count) }
        // A text that never changes: `CHAT_ROOM_CREATED`.
        return rest.wholeMatch(of: /[A-Z_]+/) != nil ? .oneOf([rest]) : nil
    }

    private static let forms: [String: TextForm] = [
        "": .any, "or NO": .any, ", \"0\" = end": .any, "number": .named(.digits), "seconds": .named(.digits),
        "YYYY-MM-DD": .named(.date), "HH:mm": .named(.timeOfDay), "MM.dd": .named(.monthDay),
        "m:ss": .named(.minutesSeconds), "ISO local": .named(.localTime), "local date-time": .named(.localTime),
        "yyyy-MM-dd HH:mm UTC": .named(.spacedMinutes), "same format": .named(.spacedMinutes),
        "yyyy-MM-dd HH:mm:ss": .named(.spacedSeconds),
        "yyyy-MM-dd'T'HH:mm:ss.SSSSSS UTC": .named(.localMicroseconds),
        ">=5 digits + name + digit": .named(.trainKey), "[2-9A-HJ-NP-Z]{6}": .named(.inviteCode),
        "(spaces removed)": .named(.spaceless), "D-LONG": .named(.longDay), "D-SHORT": .named(.shortDay),
        "D-LOCAL-OUT": .named(.localFraction), "badge (기간 만료 or D-n)": .named(.badge),
    ]

    /// What follows `enum`: values, a range of them, or a name.
    static func enumeration(_ text: String) -> TextForm? {
        let text = text.prefix { $0 != "," }.trimmed
        // The regions of With Suhyeon are a list of its own, which a scenario compares.
        if text.isEmpty || text == "Region.subLocation" { return .any }
        if let known = enumerations[text] { return .oneOf(known) }
        if let prefix = text.strippingEnd("*") { return .prefixed(prefix) }
        if text == "MONDAY..SUNDAY" {
            return .oneOf(["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"])
        }
        if let range = text.wholeMatch(of: /([A-Z_]+)(\d)\.\.([A-Z_]+)(\d)/), range.1 == range.3,
            let first = Int(range.2), let last = Int(range.4), first <= last
        {
            return .oneOf((first...last).map { "\(range.1)\($0)" })
        }
        return text.wholeMatch(of: /[A-Z0-9_|]+/) != nil ? .oneOf(text.split(separator: "|").map(String.init)) : nil
    }

    /// The values that the contracts list in another place (With Suhyeon contract 3.3, SeatCatcher contract 3.3).
    private static let enumerations: [String: [String]] = [
        "Age": ["20 ~ 24", "25 ~ 29", "30 ~ 34", "35 ~ 39", "40세 이상"],
        "Category": [
            "바다", "카페", "학교", "파티룸", "공항", "스키장", "캠핑", "회식", "수영장", "자취방", "엠티", "해외여행", "도서관", "찜질방", "기타",
        ],
        "ProfileImage": ["img_purple_suma", "img_red_suma", "img_green_suma", "img_blue_suma"],
        "push kind": [
            "HELLO", "MOST_USED_TIME_ALERT", "ARRIVAL_HANDLED", "SEAT_REQUEST_RECEIVED", "SEAT_REQUEST_ACCEPTED",
            "SEAT_REQUEST_REJECTED", "SEAT_REQUEST_ACCEPTED_ARRIVA", "SEAT_EXCHANGE_SUCCESS", "SEAT_REQUEST_CANCELED",
            "NEW_DEVICE",
        ],
    ]
}

extension StringProtocol {
    /// Without spaces at both ends.
    var trimmed: String {
        var rest = self[...]
        while rest.first == " " { rest = rest.dropFirst() }
        while rest.last == " " { rest = rest.dropLast() }
        return String(rest)
    }

    /// What follows a beginning; nil for a text with another one.
    func stripping(_ prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }

    /// What precedes an end; nil for a text with another one.
    func strippingEnd(_ suffix: String) -> String? { hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil }
}
