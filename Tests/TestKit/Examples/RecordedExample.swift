import AppClients
import Apps

/// A request that a test sent and the response to it, as the API's page shows them: without most elements of long lists,
/// and with long texts and secrets cut.
struct RecordedExample: Codable {
    var request: Request
    var response: Response

    struct Request: Codable {
        /// With its query, as it was sent.
        var path: String
        var headers: [String: String]?
        /// The media type of a body that is not JSON.
        var type: String?
        var body: JSON?
    }

    struct Response: Codable {
        var status: Int
        /// The media type of a body that is not JSON.
        var type: String?
        var body: JSON?
    }

    /// Whether it shows more than another one: texts of people before markup and control characters, more members before
    /// fewer, short before long.
    func isBetter(than other: RecordedExample) -> Bool {
        let (own, others) = (rank, other.rank)
        return own != others ? own.lexicographicallyPrecedes(others) : text < other.text
    }

    /// The lower, the better.
    private var rank: [Int] {
        let bodies = [request.body, response.body].compactMap(\.self)
        let members = bodies.reduce(into: Set<String>()) { $1.collectMembers(at: "", in: &$0) }
        let isOdd = text.contains("<") || text.contains("\\u")
        return [isOdd ? 1 : 0, -members.count, text.utf8.count]
    }

    private var text: String {
        "\(request.path) \(request.body?.description ?? "") \(response.body?.description ?? "")"
    }
}

extension JSON {
    /// The value without most elements of lists, and with long texts and secrets cut.
    ///
    /// - Parameter name: The member that has the value.
    func abridged(_ name: String = "") -> JSON {
        switch self {
        case .array(let elements): .array(elements.prefix(2).map { $0.abridged(name) })
        case .object(let members):
            .object(Dictionary(uniqueKeysWithValues: members.map { ($0, $1.abridged($0)) }))
        case .string(let text): .string(Self.abridged(text, name))
        default: self
        }
    }

    /// The beginning of a text that is a secret by its name, or long.
    static func abridged(_ text: String, _ name: String) -> String {
        let name = name.lowercased()
        let isSecret = ["token", "code", "secret", "device"].contains { name.contains($0) } && text.count > 24
        let limit = isSecret || text.hasPrefix("eyJ") ? 12 : 160
        return text.count > limit ? "\(text.prefix(limit))…" : text
    }

    /// The paths of the members that have a value.
    fileprivate func collectMembers(at path: String, in paths: inout Set<String>) {
        switch self {
        case .array(let elements): for element in elements { element.collectMembers(at: path + "[]", in: &paths) }
        case .object(let members):
            for (name, value) in members { value.collectMembers(at: "\(path).\(name)", in: &paths) }
        case .null: break
        default: paths.insert(path)
        }
    }
}
