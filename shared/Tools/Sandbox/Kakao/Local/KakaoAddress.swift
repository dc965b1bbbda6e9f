import Glibc

/// An address of Kakao's search: a region, a lot with its building, or a road.
struct KakaoAddress: Sendable {
    var kind: Kind
    /// `""` for the whole city.
    var district: String
    /// `""` for a whole district.
    var quarter: String
    var road: String
    var number: LotNumber?
    /// Whether there is an address on a road.
    var hasRoad: Bool
    var latitude: Double
    var longitude: Double

    /// The kind of the query, in Kakao's terms.
    enum Kind: String {
        case region = "REGION"
        case road = "ROAD"
        case lot = "REGION_ADDR"
        case building = "ROAD_ADDR"
    }

    init(_ quarter: KakaoRegions.Quarter, number: LotNumber?, asRoad: Bool) {
        kind = number == nil ? (asRoad ? .road : .region) : (asRoad ? .building : .lot)
        district = quarter.district
        self.quarter = quarter.name
        road = quarter.road
        self.number = number
        hasRoad = asRoad || number != nil
        (latitude, longitude) = (quarter.latitude, quarter.longitude)
        guard let number else { return }
        // Within 400 m of the centre, with a different position for each lot.
        let turn = Double(number.main &* 137 % 360) * .pi / 180
        let reach = Double((number.main &* 53 &+ number.sub &* 7) % 400) / 111_195
        latitude += reach * sin(turn)
        longitude += reach * cos(turn) / cos(quarter.latitude * .pi / 180)
    }

    static var city: KakaoAddress {
        var city = KakaoAddress(
            KakaoRegions.Quarter(district: "", name: "", latitude: 37.5664, longitude: 126.9780),
            number: nil,
            asRoad: false
        )
        city.road = ""
        return city
    }

    static func district(_ quarter: KakaoRegions.Quarter) -> KakaoAddress {
        var district = KakaoAddress(quarter, number: nil, asRoad: false)
        (district.quarter, district.road) = ("", "")
        return district
    }

    /// `서울 노원구 상계동 123-4`
    var lotName: String { join([KakaoRegions.city, district, quarter, number?.text ?? ""]) }

    /// `서울 노원구 상계로 123-4`
    var roadName: String { join([KakaoRegions.city, district, road, number?.text ?? ""]) }

    /// Degrees in Kakao's format.
    var x: String { "\(longitude)" }
    var y: String { "\(latitude)" }

    private func join(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: " ") }
}
