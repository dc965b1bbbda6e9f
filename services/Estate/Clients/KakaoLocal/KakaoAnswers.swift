import ServiceKit
import Values

/// Kakao's responses, reduced to the fields in use. Coordinates are texts.
enum KakaoAnswers {
    struct Page<Document: Decodable>: Decodable {
        var meta: Meta
        var documents: [Document]
    }

    struct Meta: Decodable {
        var pageableCount: Int
        var isEnd: Bool

        enum CodingKeys: String, CodingKey {
            case pageableCount = "pageable_count"
            case isEnd = "is_end"
        }
    }

    struct Spots: Decodable {
        var documents: [Spot]
    }

    /// A lot-number address or a road address.
    struct Part: Decodable {
        var name: String
        var region1: String?
        var region2: String?
        var region3: String?
        var x: String?
        var y: String?

        enum CodingKeys: String, CodingKey {
            case x, y
            case name = "address_name"
            case region1 = "region_1depth_name"
            case region2 = "region_2depth_name"
            case region3 = "region_3depth_name"
        }

        /// The neighbourhood, or else the district, the city, or the whole name.
        var region: String { [region3, region2, region1].lazy.compactMap(\.self).first { !$0.isEmpty } ?? name }
    }

    struct Address: Decodable {
        var name: String
        var x: String?
        var y: String?
        var address: Part?
        var roadAddress: Part?

        enum CodingKeys: String, CodingKey {
            case x, y, address
            case name = "address_name"
            case roadAddress = "road_address"
        }

        /// Uses the coordinates of the lot, or else of the building or the document; nil without any.
        var found: FoundPlace? {
            let places = [(address?.x, address?.y), (roadAddress?.x, roadAddress?.y), (x, y)]
            guard let place = places.lazy.compactMap({ Coordinate(x: $0, y: $1) }).first else { return nil }
            return FoundPlace(
                kind: .address,
                title: address?.name ?? name,
                subtitle: roadAddress?.name ?? "",
                longitude: place.longitude,
                latitude: place.latitude,
                region: (address ?? roadAddress)?.region ?? name
            )
        }
    }

    struct Place: Decodable {
        var name: String
        var address: String
        var x: String?
        var y: String?

        enum CodingKeys: String, CodingKey {
            case x, y
            case name = "place_name"
            case address = "address_name"
        }

        var found: FoundPlace? {
            guard let place = Coordinate(x: x, y: y) else { return nil }
            return FoundPlace(
                kind: .place,
                title: name,
                subtitle: address,
                longitude: place.longitude,
                latitude: place.latitude,
                region: region
            )
        }

        /// The last part of the address that is not a lot number.
        private var region: String {
            let isNumber = { (word: Substring) in word == "산" || word.first?.isNumber == true }
            return address.split(separator: " ").last { !isNumber($0) }.map(String.init) ?? ""
        }
    }

    struct Spot: Decodable {
        var roadAddress: Part?
        var address: Part?

        enum CodingKeys: String, CodingKey {
            case address
            case roadAddress = "road_address"
        }

        /// nil without an address.
        var name: PlaceName? {
            guard let first = roadAddress ?? address else { return nil }
            return PlaceName(
                title: first.name,
                subtitle: roadAddress == nil ? nil : address?.name,
                region: first.region
            )
        }
    }
}

extension Coordinate {
    /// nil when the coordinates are invalid.
    fileprivate init?(x: String?, y: String?) {
        guard let longitude = x.flatMap(Double.init), let latitude = y.flatMap(Double.init) else { return nil }
        self.init(checking: latitude, longitude)
    }
}
