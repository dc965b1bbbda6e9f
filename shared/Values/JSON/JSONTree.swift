/// A JSON value as it was written: members in their order, numbers with their digits.
package indirect enum JSONTree: Sendable, Equatable {
    case null
    case bool(Bool)
    /// The digits as they were written: `1`, `1.50`, `2e3`.
    case number(String)
    case string(String)
    case array([JSONTree])
    case object([Member])

    package struct Member: Sendable, Equatable {
        package var name: String
        package var value: JSONTree

        package init(_ name: String, _ value: JSONTree) {
            self.name = name
            self.value = value
        }
    }

    /// - Parameter refusesRepeatedNames: Whether an object must not have a name twice, as protocol buffers' parsers demand.
    /// - Throws: `JSONError` if the bytes are not one JSON value (RFC 8259).
    package init(
        parsing bytes: some Sequence<UInt8>,
        refusesRepeatedNames: Bool = false
    ) throws(JSONError) {
        var reader = JSONReader(Array(bytes), refusesRepeatedNames: refusesRepeatedNames)
        self = try reader.document()
    }

    /// The first member of a name; nil for other values.
    package subscript(name: String) -> JSONTree? { members.first { $0.name == name }?.value }

    /// The members of an object; empty for other values.
    package var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The elements of an array; empty for other values.
    package var elements: [JSONTree] {
        if case .array(let elements) = self { elements } else { [] }
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A number without a fraction.
    package var integer: Int64? {
        if case .number(let digits) = self { Int64(digits) } else { nil }
    }

    /// What the value is, as a part of a sentence.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value as JSON text without spaces.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): JSONText.string(text)
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let members): JSONText.object(texts: members.map { ($0.name, $0.value.text) })
        }
    }
}
