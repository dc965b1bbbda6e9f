import Values

/// A row of `culturalEventInfo`: all members are text (Culture contract 5.1).
struct CulturalEventRow: Encodable, Sendable, Equatable {
    var category: String
    var district: String
    var title: String
    var date: String
    var place: String
    var organization: String
    var audience: String
    var fee: String
    var inquiry: String
    var players: String
    var programme: String
    var remarks: String
    var link: String
    var image: String
    var registered: String
    var ticket: String
    var start: String
    var end: String
    var theme: String
    /// As in the current feed: the longitude in LOT, the latitude in LAT.
    var longitude: String
    var latitude: String
    var isFree: String
    var homepage: String
    var time: String

    enum CodingKeys: String, CodingKey {
        case category = "CODENAME"
        case district = "GUNAME"
        case title = "TITLE"
        case date = "DATE"
        case place = "PLACE"
        case organization = "ORG_NAME"
        case audience = "USE_TRGT"
        case fee = "USE_FEE"
        case inquiry = "INQUIRY"
        case players = "PLAYER"
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

    /// Whether the row's category equals the name, or begins with it.
    func isOf(_ category: String) -> Bool {
        self.category == category || self.category.split(separator: "/").first.map(String.init) == category
    }

    /// Whether the event takes place on a day, written as `yyyy-MM-dd`.
    func runs(on day: String) -> Bool { start.prefix(10) <= day && day <= end.prefix(10) }
}
