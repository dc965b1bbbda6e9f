/// The equipment of a listing (Anlaka contract 1.7, Options). Absent fields are false.
struct ListingOptions: Codable, Sendable, Equatable {
    var description: String?
    var refrigerator = false
    var washer = false
    var airConditioner = false
    var closet = false
    var shoeRack = false
    var microwave = false
    var sink = false
    var tv = false

    enum CodingKeys: String, CodingKey {
        case description, refrigerator, washer, closet, microwave, sink, tv
        case airConditioner = "air_conditioner"
        case shoeRack = "shoe_rack"
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        description = try container.decodeIfPresent(String.self, forKey: .description)
        func has(_ key: CodingKeys) throws -> Bool { try container.decodeIfPresent(Bool.self, forKey: key) ?? false }
        refrigerator = try has(.refrigerator)
        washer = try has(.washer)
        airConditioner = try has(.airConditioner)
        closet = try has(.closet)
        shoeRack = try has(.shoeRack)
        microwave = try has(.microwave)
        sink = try has(.sink)
        tv = try has(.tv)
    }
}
