/// The categories of With Suhyeon's gallery, in the order of the contract (3.3), on which the app depends.
enum GalleryCategory: String, Sendable, CaseIterable {
    case beach, cafe, school
    case partyRoom = "party_room"
    case airport
    case skiResort = "ski_resort"
    case camping
    case companyDinner = "company_dinner"
    case pool, room, mt
    case overseasTravel = "overseas_travel"
    case studyCafe = "study_cafe"
    case spa, others

    /// The app's text.
    var text: String {
        switch self {
        case .beach: "바다"
        case .cafe: "카페"
        case .school: "학교"
        case .partyRoom: "파티룸"
        case .airport: "공항"
        case .skiResort: "스키장"
        case .camping: "캠핑"
        case .companyDinner: "회식"
        case .pool: "수영장"
        case .room: "자취방"
        case .mt: "엠티"
        case .overseasTravel: "해외여행"
        case .studyCafe: "도서관"
        case .spa: "찜질방"
        case .others: "기타"
        }
    }

    init?(text: String) {
        guard let category = Self.allCases.first(where: { $0.text == text }) else { return nil }
        self = category
    }

    /// The icon, a PNG.
    var symbol: [UInt8] {
        switch self {
        case .beach: PackageResources.beach_png
        case .cafe: PackageResources.cafe_png
        case .school: PackageResources.school_png
        case .partyRoom: PackageResources.party_room_png
        case .airport: PackageResources.airport_png
        case .skiResort: PackageResources.ski_resort_png
        case .camping: PackageResources.camping_png
        case .companyDinner: PackageResources.company_dinner_png
        case .pool: PackageResources.pool_png
        case .room: PackageResources.room_png
        case .mt: PackageResources.mt_png
        case .overseasTravel: PackageResources.overseas_travel_png
        case .studyCafe: PackageResources.study_cafe_png
        case .spa: PackageResources.spa_png
        case .others: PackageResources.others_png
        }
    }
}
