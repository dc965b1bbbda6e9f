import FoundationEssentials

/// Why a text is not valid JSON.
package enum JSONError: Error, CustomStringConvertible {
    /// Not the grammar of RFC 8259, not UTF-8, or nested too deeply, which is noticed at a byte.
    case malformed(at: Int)
    /// A duplicate name in an object, where it is refused.
    case repeated(String)

    package var description: String {
        switch self {
        case .malformed(let index): "the text is not JSON at byte \(index)"
        case .repeated(let name): "the JSON has the name \"\(name)\" twice in an object"
        }
    }
}

/// A single-pass JSON parser, which refuses deep nesting, and repeated names where that is wanted.
struct JSONReader {
    private let bytes: [UInt8]
    private let refusesRepeatedNames: Bool
    private var index = 0
    private var depth = 0

    /// The maximum nesting depth, as in protocol buffers' parsers.
    private static let depthLimit = 100

    init(_ bytes: [UInt8], refusesRepeatedNames: Bool) {
        self.bytes = bytes
        self.refusesRepeatedNames = refusesRepeatedNames
    }

    /// The single value of the document.
    mutating func document() throws(JSONError) -> JSONTree {
        let tree = try value()
        skipBlanks()
        guard index == bytes.count else { throw malformed }
        return tree
    }

    private mutating func value() throws(JSONError) -> JSONTree {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try text())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object() throws(JSONError) -> JSONTree {
        var members: [JSONTree.Member] = []
        var names: Set<String> = []
        try list(endingWith: UInt8(ascii: "}")) { reader throws(JSONError) in
            let name = try reader.text()
            reader.skipBlanks()
            guard reader.take(UInt8(ascii: ":")) else { throw reader.malformed }
            if reader.refusesRepeatedNames, !names.insert(name).inserted { throw .repeated(name) }
            members.append(JSONTree.Member(name, try reader.value()))
        }
        return .object(members)
    }

    private mutating func array() throws(JSONError) -> JSONTree {
        var values: [JSONTree] = []
        try list(endingWith: UInt8(ascii: "]")) { reader throws(JSONError) in values.append(try reader.value()) }
        return .array(values)
    }

    /// Parses the comma-separated elements between brackets.
    private mutating func list(
        endingWith end: UInt8,
        _ element: (inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        index += 1
        depth += 1
        guard depth <= Self.depthLimit else { throw malformed }
        skipBlanks()
        while !take(end) {
            try element(&self)
            skipBlanks()
            if next == end { continue }
            guard take(UInt8(ascii: ",")) else { throw malformed }
            skipBlanks()
            guard next != end else { throw malformed }
        }
        depth -= 1
    }

    private mutating func text() throws(JSONError) -> String {
        guard take(UInt8(ascii: "\"")) else { throw malformed }
        let start = index
        var hasEscapes = false
        while let byte = next, byte != UInt8(ascii: "\""), byte >= 0x20 {
            let isEscape = byte == UInt8(ascii: "\\")
            hasEscapes = hasEscapes || isEscape
            index += isEscape ? 2 : 1
        }
        let end = index
        guard take(UInt8(ascii: "\"")) else { throw malformed }
        let text =
            hasEscapes
            ? try? JSONDecoder().decode(String.self, from: Data(bytes[start - 1...end]))
            : String(validating: bytes[start..<end], as: UTF8.self)
        guard let text else { throw malformed }
        return text
    }

    private mutating func number() throws(JSONError) -> JSONTree {
        let start = index
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return .number(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func digits() throws(JSONError) {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        guard index > start else { throw malformed }
    }

    private mutating func word(_ word: StaticString, _ value: JSONTree) throws(JSONError) -> JSONTree {
        guard bytes[index...].starts(with: word.description.utf8) else { throw malformed }
        index += word.utf8CodeUnitCount
        return value
    }

    private var malformed: JSONError { .malformed(at: index) }
    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }
}
