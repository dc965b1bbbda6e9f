import AppClients

/// The required shape of a JSON value: exactly these members, and none of them null.
indirect enum JSONShape: Sendable {
    case text
    /// 24 hexadecimal digits.
    case id
    /// `2025-11-22T08:56:18.123Z`, with milliseconds.
    case instant
    case integer
    case number
    case flag
    case list(JSONShape)
    case object([String: JSONShape], optional: [String: JSONShape] = [:])

    /// The shape of an error response.
    static let refusal = JSONShape.object(["message": .text])
    /// The shape of an upload's response.
    static let files = JSONShape.object(["files": .list(.text)])
    /// The shape of a like's response, in both apps.
    static let like = JSONShape.object(["like_status": .flag])

    /// The paths where a value differs from the shape; empty for one that fits.
    func faults(in value: JSON, at path: String = "$") -> [String] {
        switch (self, value) {
        case (.text, .string), (.integer, .integer), (.number, .integer), (.number, .number), (.flag, .bool):
            return []
        case (.id, .string(let text)):
            return text.wholeMatch(of: /[0-9a-f]{24}/) == nil ? [path] : []
        case (.instant, .string(let text)):
            return text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) == nil ? [path] : []
        case (.list(let shape), .array(let values)):
            return values.enumerated().flatMap { shape.faults(in: $0.element, at: "\(path)[\($0.offset)]") }
        case (.object(let required, let optional), .object(let members)):
            let missing = required.keys.filter { members[$0] == nil }.map { "\(path).\($0) is missing" }
            return missing
                + members.flatMap { name, value in
                    (required[name] ?? optional[name])?.faults(in: value, at: "\(path).\(name)")
                        ?? ["\(path).\(name) is too much"]
                }
        default:
            return [path]
        }
    }
}
