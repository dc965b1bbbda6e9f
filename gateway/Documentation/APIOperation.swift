import Contracts

/// An operation of an API document, with what its path has for all operations.
struct APIOperation {
    /// In upper case.
    let method: String
    let path: String
    let details: JSONValue
    /// The parameters, which may be references.
    let parameters: [JSONValue]

    /// The operations of a document, by path.
    static func all(in document: JSONValue) -> [APIOperation] {
        (document["paths"]?.members ?? [:]).sorted { $0.key < $1.key }.flatMap { path, item in
            JSONValue.methods.compactMap { method in
                item[method].map { details in
                    APIOperation(
                        method: method.uppercased(),
                        path: path,
                        details: details,
                        parameters: (item["parameters"]?.elements ?? []) + (details["parameters"]?.elements ?? [])
                    )
                }
            }
        }
    }

    /// The key of examples: `GET /stations/{stationId}`.
    var key: String { "\(method) \(path)" }

    /// The name in the app's catalogue: `getStation`.
    var name: String {
        let id = details["operationId"]?.text ?? key
        return id.split(separator: ".").last.map(String.init) ?? id
    }

    /// `getStation` as words.
    var title: String {
        let words = name.reduce(into: "") { words, letter in
            words += letter.isUppercase && words.last?.isLowercase == true ? " \(letter.lowercased())" : String(letter)
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The resource of the path: its first segment that is no version.
    var resource: String {
        let segments = path.split(separator: "/").drop { segment in
            segment == "api" || (segment.first == "v" && segment.count == 2)
        }
        return segments.first.map(String.init) ?? "/"
    }

    var responses: [(status: String, response: JSONValue)] {
        (details["responses"]?.members ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension JSONValue {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The value on one line.
    var compact: String {
        switch self {
        case .null: "null"
        case .bool(let value): String(value)
        case .int(let value): String(value)
        case .double(let value): String(value)
        case .string(let value): value
        case .array(let elements): "[\(elements.map(\.compact).joined(separator: ", "))]"
        case .object: "{…}"
        }
    }
}
