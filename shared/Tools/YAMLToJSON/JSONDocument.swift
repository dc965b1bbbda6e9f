import FoundationEssentials
import Yams

/// A YAML document as JSON.
enum JSONDocument: Encodable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONDocument])
    case object([String: JSONDocument])

    /// - Throws: `YamlError` with the position of a syntax error or a repeated key, `UnsupportedNode` for a key that is no
    ///   scalar and for a scalar with a tag.
    init(yaml: String) throws {
        self = try Yams.compose(yaml: yaml, .basic).map(Self.init(node:)) ?? .null
    }

    /// The document on one line, its keys sorted.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    private init(node: Node) throws {
        switch node {
        case .scalar(let scalar) where scalar.tag == .implicit:
            self.init(plain: scalar.string)
        case .scalar(let scalar) where scalar.tag == Tag(.str):
            self = .string(scalar.string)
        case .sequence(let items):
            self = .array(try items.map(Self.init(node:)))
        case .mapping(let pairs):
            let members = try pairs.map { key, value in
                guard let name = key.scalar else { throw UnsupportedNode(position: key.mark) }
                return (name.string, try JSONDocument(node: value))
            }
            self = .object(Dictionary(uniqueKeysWithValues: members))
        case .scalar, .alias:
            throw UnsupportedNode(position: node.mark)
        }
    }

    /// A scalar without quotes, according to YAML 1.2: `no`, `12:30` and `2025-01-01`, which are a boolean, a number and a
    /// time in YAML 1.1, are strings.
    private init(plain text: String) {
        switch text {
        case "", "~", "null": self = .null
        case "true": self = .bool(true)
        case "false": self = .bool(false)
        default:
            if let integer = Int(text) {
                self = .integer(integer)
            } else if text.first?.isNumber == true || text.first == "-", let number = Double(text), number.isFinite {
                self = .number(number)
            } else {
                self = .string(text)
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
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

/// A node without a counterpart in JSON.
struct UnsupportedNode: Error, CustomStringConvertible {
    var position: Mark?

    var description: String { "\(position.map(String.init(describing:)) ?? "-"): JSON has no such key or tag" }
}
