/// Any JSON value (RFC 8259), for external systems that validate JSON more strictly than a decoder: unknown members,
/// other types, sizes.
enum JSONTree: Sendable, Equatable {
    case null
    case flag(Bool)
    /// The number as written.
    case number(String)
    case text(String)
    case array([JSONTree])
    case object([String: JSONTree])

    /// - Throws: `JSONError` if the bytes are not one JSON value.
    init(parsing bytes: [UInt8]) throws(JSONError) {
        var reader = JSONReader(bytes)
        self = try reader.document()
    }

    /// The string value; nil for other values.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The integer value; nil for other values.
    var integer: Int? {
        if case .number(let number) = self { Int(number) } else { nil }
    }

    /// A member of an object.
    subscript(name: String) -> JSONTree? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The size of the compact JSON in bytes: without blanks, with only the required escapes.
    var size: Int {
        switch self {
        case .null: 4
        case .flag(let flag): flag ? 4 : 5
        case .number(let number): number.utf8.count
        case .text(let text): Self.size(of: text)
        case .array(let values): 2 + max(0, values.count - 1) + values.reduce(0) { $0 + $1.size }
        case .object(let members):
            2 + max(0, members.count - 1) + members.reduce(0) { $0 + Self.size(of: $1.key) + 1 + $1.value.size }
        }
    }

    private static func size(of text: String) -> Int {
        text.utf8.reduce(2) { size, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: size + 2
            case 0..<0x20: size + 6
            default: size + 1
            }
        }
    }
}

extension JSONTree: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .number(let number):
            if let whole = Int64(number) {
                try container.encode(whole)
            } else if let value = Double(number), value.isFinite {
                try container.encode(value)
            } else {
                try container.encode(number)
            }
        case .text(let text): try container.encode(text)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
