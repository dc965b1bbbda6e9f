import Values

/// A new or changed workplace, as entered (MOUP contract 1.3, WorkplaceBody, common part). nil fields were omitted.
struct WorkplaceDraft: Sendable, Equatable {
    private(set) var name: String?
    private(set) var category: String?
    private(set) var address: String?
    private(set) var latitude: Double?
    private(set) var longitude: Double?
    private(set) var hasFiveOrMoreEmployees: Bool?

    /// - Throws: `WorkforceError.field` for an invalid value.
    init(
        name: String?,
        category: String?,
        address: String? = nil,
        latitude: Double? = nil,
        longitude: Double? = nil,
        hasFiveOrMoreEmployees: Bool? = nil
    ) throws {
        self.name = try name.map { try TypedText.checked($0, "workplaceName", limit: 50) }
        self.category = try category.map { try TypedText.checked($0, "categoryName", limit: 20) }
        self.address = try address.map { try TypedText.checked($0, "address", limit: 100, mayBeBlank: true) }
        self.latitude = try latitude.map { try Self.check($0, "latitude", within: 90) }
        self.longitude = try longitude.map { try Self.check($0, "longitude", within: 180) }
        self.hasFiveOrMoreEmployees = hasFiveOrMoreEmployees
    }

    /// The workplace with the entered values; other fields are unchanged.
    func applied(to workplace: Workplace) -> Workplace {
        var workplace = workplace
        workplace.name = name ?? workplace.name
        workplace.category = category ?? workplace.category
        workplace.address = address ?? workplace.address
        workplace.latitude = latitude ?? workplace.latitude
        workplace.longitude = longitude ?? workplace.longitude
        workplace.hasFiveOrMoreEmployees = hasFiveOrMoreEmployees ?? workplace.hasFiveOrMoreEmployees
        return workplace
    }

    private static func check(_ degrees: Double, _ field: String, within limit: Double) throws -> Double {
        guard (-limit...limit).contains(degrees) else {
            throw WorkforceError.field("\(field)은(는) \(-Int(limit))에서 \(Int(limit)) 사이여야 합니다.")
        }
        return degrees
    }
}

/// The caller's own part of a workplace, depending on the role.
enum OwnPart: Sendable, Equatable {
    /// The workplace's color in the worker's calendar, and the worker's wage.
    case worker(color: String, wage: WageDraft)
    /// The workplace's color in the owner's calendar.
    case owner(color: String)

    var role: Person.Role {
        switch self {
        case .worker: .worker
        case .owner: .owner
        }
    }
}
