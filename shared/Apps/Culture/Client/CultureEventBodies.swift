// The city's open data as the app decodes it, all of whose members it requires (Culture contract 5.1).

/// The events of a day.
package struct CultureEvents: Decodable, Sendable {
    package var culturalEventInfo: Page

    package struct Page: Decodable, Sendable {
        package var count: Int
        package var result: Result
        package var row: [CultureEvent]

        private enum CodingKeys: String, CodingKey {
            case count = "list_total_count"
            case result = "RESULT"
            case row
        }
    }

    package struct Result: Decodable, Sendable {
        package var code: String
        package var message: String

        private enum CodingKeys: String, CodingKey {
            case code = "CODE"
            case message = "MESSAGE"
        }
    }
}

/// An event of the city.
package struct CultureEvent: Decodable, Sendable {
    package var codename: String
    package var guname: String
    package var title: String
    package var date: String
    package var place: String
    package var orgName: String
    package var useTrgt: String
    package var useFee: String
    package var inquiry: String
    package var player: String
    package var program: String
    package var etcDesc: String
    package var orgLink: String
    package var mainImg: String
    package var rgstdate: String
    package var ticket: String
    package var strtdate: String
    package var endDate: String
    package var themecode: String
    package var lot: String
    package var lat: String
    package var isFree: String
    package var hmpgAddr: String
    package var proTime: String

    private enum CodingKeys: String, CodingKey {
        case codename = "CODENAME"
        case guname = "GUNAME"
        case title = "TITLE"
        case date = "DATE"
        case place = "PLACE"
        case orgName = "ORG_NAME"
        case useTrgt = "USE_TRGT"
        case useFee = "USE_FEE"
        case inquiry = "INQUIRY"
        case player = "PLAYER"
        case program = "PROGRAM"
        case etcDesc = "ETC_DESC"
        case orgLink = "ORG_LINK"
        case mainImg = "MAIN_IMG"
        case rgstdate = "RGSTDATE"
        case ticket = "TICKET"
        case strtdate = "STRTDATE"
        case endDate = "END_DATE"
        case themecode = "THEMECODE"
        case lot = "LOT"
        case lat = "LAT"
        case isFree = "IS_FREE"
        case hmpgAddr = "HMPG_ADDR"
        case proTime = "PRO_TIME"
    }
}
