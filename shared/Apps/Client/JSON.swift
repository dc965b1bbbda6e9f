package import FoundationEssentials
import Values

/// Any JSON value, written as Swift literals and read by subscript.
package enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// A member of an object; nil for other values.
    package subscript(name: String) -> JSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// An element of an array; nil for other values, and beyond its end.
    package subscript(index: Int) -> JSON? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// Any number.
    package var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// The elements of an array; empty for other values.
    package var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The names of an object's members; empty for other values.
    package var keys: Set<String> {
        if case .object(let members) = self { Set(members.keys) } else { [] }
    }

    /// A required text of an object.
    package func text(_ name: String) throws -> String {
        guard let text = self[name]?.string else { throw ClientError("there is no text named \(name) in \(self)") }
        return text
    }

    /// A required integer of an object.
    package func number(_ name: String) throws -> Int64 {
        guard let number = self[name]?.integer else { throw ClientError("there is no number named \(name) in \(self)") }
        return number
    }

    /// An object with the members of another one, too; those of the other one take precedence.
    package func merging(_ other: JSON) -> JSON {
        guard case .object(let own) = self, case .object(let others) = other else { return other }
        return .object(own.merging(others) { $1 })
    }

    /// Parses JSON text; nil if it is invalid.
    package init?(parsing bytes: some Sequence<UInt8>) {
        guard let tree = try? JSONTree(parsing: bytes) else { return nil }
        self.init(tree)
    }

    private init(_ tree: JSONTree) {
        switch tree {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let digits): self = Int64(digits).map(JSON.integer) ?? .number(Double(digits) ?? .infinity)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(JSON.init))
        case .object(let members):
            self = .object(Dictionary(members.map { ($0.name, JSON($0.value)) }) { first, _ in first })
        }
    }

    package func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}

extension JSON: Codable {
    /// As a part of a value that is decoded.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The most frequent types first, since each attempt that fails makes an error with a description.
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([String: JSON].self) {
            self = .object(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, CustomStringConvertible
{
    /// The value as JSON text, with sorted names.
    package var description: String { (try? encoded()).map { String(decoding: $0, as: UTF8.self) } ?? "" }

    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral {
    package init(dictionaryLiteral members: (String, JSON)...) { self = .object(Dictionary(members) { $1 }) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(nilLiteral: ()) { self = .null }
}
