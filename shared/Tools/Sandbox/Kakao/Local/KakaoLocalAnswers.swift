import Values

/// The documents of Kakao's local search, with all documented members. Coordinates are text.
enum KakaoLocalAnswers {
    struct Page<Document: Encodable>: Encodable {
        var meta: Meta
        var documents: [Document]
    }

    struct Meta: Encodable {
        var totalCount: Int
        var pageableCount: Int
        var isEnd: Bool
        /// In responses to keyword searches only.
        var sameName: SameName?
    }

    /// The interpretation of a keyword.
    struct SameName: Encodable {
        var region: [String] = []
        var keyword: String
        var selectedRegion = ""
    }

    struct Count: Encodable {
        var totalCount: Int
    }

    struct Address: Encodable {
        var addressName: String
        var addressType: String
        var x: String
        var y: String
        @Nullable var address: Lot?
        @Nullable var roadAddress: Building?

        init(_ found: KakaoAddress) {
            let isRoad = found.kind == .road || found.kind == .building
            addressName = isRoad ? found.roadName : found.lotName
            addressType = found.kind.rawValue
            (x, y) = (found.x, found.y)
            address = found.kind == .road ? nil : Lot(found, withPosition: true)
            roadAddress = found.hasRoad ? Building(found, withPosition: true) : nil
        }
    }

    /// The response to a search by coordinates: one document, whose parts have no coordinates.
    struct Spot: Encodable {
        @Nullable var roadAddress: Building?
        var address: Lot

        init(_ found: KakaoAddress) {
            address = Lot(found, withPosition: false)
            roadAddress = found.hasRoad ? Building(found, withPosition: false) : nil
        }
    }

    struct Lot: Encodable {
        var addressName: String
        var region1: String
        var region2: String
        var region3: String
        var mountainYn = "N"
        var mainAddressNo: String
        var subAddressNo: String
        var x: String?
        var y: String?

        enum CodingKeys: String, CodingKey {
            case addressName, mountainYn, mainAddressNo, subAddressNo, x, y
            case region1 = "region_1depth_name"
            case region2 = "region_2depth_name"
            case region3 = "region_3depth_name"
        }

        init(_ found: KakaoAddress, withPosition: Bool) {
            addressName = found.lotName
            (region1, region2, region3) = (KakaoRegions.city, found.district, found.quarter)
            mainAddressNo = found.number.map { "\($0.main)" } ?? ""
            subAddressNo = found.number.map { $0.sub == 0 ? "" : "\($0.sub)" } ?? ""
            if withPosition { (x, y) = (found.x, found.y) }
        }
    }

    struct Building: Encodable {
        var addressName: String
        var region1: String
        var region2: String
        var region3: String
        var roadName: String
        var undergroundYn = "N"
        var mainBuildingNo: String
        var subBuildingNo: String
        var buildingName = ""
        var zoneNo: String
        var x: String?
        var y: String?

        enum CodingKeys: String, CodingKey {
            case addressName, roadName, undergroundYn, mainBuildingNo, subBuildingNo, buildingName, zoneNo, x, y
            case region1 = "region_1depth_name"
            case region2 = "region_2depth_name"
            case region3 = "region_3depth_name"
        }

        init(_ found: KakaoAddress, withPosition: Bool) {
            addressName = found.roadName
            (region1, region2, region3) = (KakaoRegions.city, found.district, found.quarter)
            roadName = found.road
            mainBuildingNo = found.number.map { "\($0.main)" } ?? ""
            subBuildingNo = found.number.map { $0.sub == 0 ? "" : "\($0.sub)" } ?? ""
            zoneNo = found.number.map { "0\(1000 + $0.main % 8000)" } ?? ""
            if withPosition { (x, y) = (found.x, found.y) }
        }
    }

    struct Place: Encodable {
        var id: String
        var placeName: String
        var categoryName: String
        var categoryGroupCode: String
        var categoryGroupName: String
        var phone: String
        var addressName: String
        var roadAddressName: String
        var x: String
        var y: String
        var placeUrl: String
        /// The distance in metres from the given place; `""` without one.
        var distance: String

        init(_ place: KakaoPlace, distance: Double?) {
            id = place.id
            placeName = place.name
            categoryName = place.category
            (categoryGroupCode, categoryGroupName) = (place.groupCode, place.groupName)
            phone = place.phone
            (addressName, roadAddressName) = (place.address.lotName, place.address.roadName)
            (x, y) = (place.address.x, place.address.y)
            placeUrl = "http://place.map.kakao.com/\(place.id)"
            self.distance = distance.map { "\(Int($0.rounded()))" } ?? ""
        }
    }
}
