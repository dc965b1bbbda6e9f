import TypedText

/// What somebody typed in of a workplace (MOUP contract 1.3, WorkplaceBody, common part). What is nil was left out.
struct WorkplaceDraft: Sendable, Equatable {
    private(set) var name: String?
    private(set) var category: String?
    private(set) var address: String?
    private(set) var latitude: Double?
    private(set) var longitude: Double?
    private(set) var hasFiveOrMoreEmployees: Bool?

    /// - Throws: `WorkforceError.field` for what no workplace can have.
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

    /// A workplace with what was typed in; the rest stays as it is.
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

/// What somebody typed in of their own place at a workplace; which of the two follows from their role.
enum OwnPart: Sendable, Equatable {
    /// The workplace's colour in their calendar, and how they are paid.
    case worker(color: String, wage: WageDraft)
    /// The workplace's colour in the owner's calendar.
    case owner(color: String)

    var role: Person.Role {
        switch self {
        case .worker: .worker
        case .owner: .owner
        }
    }
}
