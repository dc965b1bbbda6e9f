import Apps
import Values

/// A workplace in requests (MOUP contract 1.3, WorkplaceBody). The keys distinguish the worker's form from the owner's;
/// a key with null counts as absent.
struct WorkplaceFields: Decodable {
    var workplaceName: String?
    var categoryName: String?
    var address: String?
    var latitude: Double?
    var longitude: Double?
    var fiveOrMoreEmployees: Bool?
    var workerBasedLabelColor: String?
    var ownerBasedLabelColor: String?

    func draft() throws -> WorkplaceDraft {
        try WorkplaceDraft(
            name: workplaceName,
            category: categoryName,
            address: address,
            latitude: latitude,
            longitude: longitude,
            hasFiveOrMoreEmployees: fiveOrMoreEmployees
        )
    }

    /// - Throws: `Problem` (`COMMON_400`) for the keys of both forms, or of neither.
    fileprivate func ownPart(salary: SalaryRequest?, key: String) throws -> OwnPart {
        let isWorkers = workerBasedLabelColor != nil || salary != nil
        switch (isWorkers, ownerBasedLabelColor) {
        case (true, nil):
            guard let color = workerBasedLabelColor else {
                throw Problem(.invalid, message: "workerBasedLabelColor은(는) 필수입니다.")
            }
            guard let salary else { throw Problem(.invalid, message: "\(key)은(는) 필수입니다.") }
            return .worker(color: try LabelColor.check(color, "workerBasedLabelColor"), wage: try salary.draft())
        case (false, let color?):
            return .owner(color: try LabelColor.check(color, "ownerBasedLabelColor"))
        default:
            throw Problem(
                .malformed,
                message: "workerBasedLabelColor와 \(key), 또는 ownerBasedLabelColor 중 한쪽만 있어야 합니다."
            )
        }
    }
}

/// The body of `POST /workplaces`.
struct WorkplaceCreateRequest: Decodable {
    private var fields: WorkplaceFields
    private var salary: SalaryRequest?

    private enum CodingKeys: String, CodingKey { case salaryCreateRequest }

    init(from decoder: any Decoder) throws {
        fields = try WorkplaceFields(from: decoder)
        salary = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(forKey: .salaryCreateRequest)
    }

    func parsed() throws -> (draft: WorkplaceDraft, own: OwnPart) {
        let own = try fields.ownPart(salary: salary, key: "salaryCreateRequest")
        return (try fields.draft(), own)
    }
}

/// The body of `PATCH /workplaces/{workplaceId}`; omitted fields of the common part are unchanged.
struct WorkplaceUpdateRequest: Decodable {
    private var fields: WorkplaceFields
    private var salary: SalaryRequest?

    private enum CodingKeys: String, CodingKey { case salaryUpdateRequest }

    init(from decoder: any Decoder) throws {
        fields = try WorkplaceFields(from: decoder)
        salary = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(forKey: .salaryUpdateRequest)
    }

    func parsed() throws -> (draft: WorkplaceDraft, own: OwnPart) {
        let own = try fields.ownPart(salary: salary, key: "salaryUpdateRequest")
        return (try fields.draft(), own)
    }
}

extension KeyedDecodingContainer {
    fileprivate func decodeIfPresent<Value: Decodable>(forKey key: Key) throws -> Value? {
        try decodeIfPresent(Value.self, forKey: key)
    }
}

extension LabelColor {
    /// - Throws: `WorkforceError.field`.
    static func check(_ color: String, _ field: String) throws -> String {
        try TypedText.checked(color, field, limit: 10)
    }
}
