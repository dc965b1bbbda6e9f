import Hummingbird

/// The fields of a form sent to Google.
struct GoogleForm: Sendable {
    private let fields: [String: String]

    init(_ request: Request, _ context: some RequestContext) async throws {
        fields = try await request.form(context)
    }

    /// Whether a field is present and not empty.
    func has(_ name: String) -> Bool { fields[name]?.isEmpty == false }

    /// - Throws: `GoogleError` for a field that is absent or empty.
    func required(_ name: String) throws(GoogleError) -> String {
        guard let value = fields[name], !value.isEmpty else { throw .missing(name) }
        return value
    }
}
