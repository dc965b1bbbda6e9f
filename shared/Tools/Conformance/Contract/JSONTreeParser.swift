extension JSONTree {
    /// Parses JSON text (RFC 8259).
    ///
    /// - Throws: `ConformanceError` that says where the text is not JSON.
    package init(parsing bytes: some Sequence<UInt8>) throws(ConformanceError) {
        var parser = JSONTreeParser(bytes: Array(bytes))
        self = try parser.document()
    }
}

/// Reads JSON text from its beginning to its end.
private struct JSONTreeParser {
    private static let greatestDepth = 128

    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws(ConformanceError) -> JSONTree {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw fault("there is more after the value") }
        return value
    }

    private mutating func value(depth: Int) throws(ConformanceError) -> JSONTree {
        guard depth < Self.greatestDepth else { throw fault("the value is nested too deeply") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(ConformanceError) -> JSONTree {
        position += 1
        var members: [JSONTree.Member] = []
        skipSpace()
        if take("}") { return .object([]) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw fault("a name is missing") }
            let name = try string()
            skipSpace()
            guard take(":") else { throw fault("a colon is missing") }
            members.append(JSONTree.Member(name, try value(depth: depth + 1)))
            skipSpace()
        } while take(",")
        guard take("}") else { throw fault("the object does not end") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(ConformanceError) -> JSONTree {
        position += 1
        var elements: [JSONTree] = []
        skipSpace()
        if take("]") { return .array([]) }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipSpace()
        } while take(",")
        guard take("]") else { throw fault("the array does not end") }
        return .array(elements)
    }

    private mutating func string() throws(ConformanceError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += Array(try escaped().utf8)
            case 0..<0x20: throw fault("a control character is not escaped")
            default: text.append(byte)
            }
        }
        throw fault("the string does not end")
    }

    private mutating func escaped() throws(ConformanceError) -> String {
        defer { position += 1 }
        switch peek {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "u"):
            let first = try codeUnit()
            guard (0xD800..<0xDC00).contains(first) else {
                return Unicode.Scalar(first).map { String($0) } ?? "\u{FFFD}"
            }
            guard bytes.dropFirst(position + 1).starts(with: Array("\\u".utf8)) else { return "\u{FFFD}" }
            position += 2
            return String(decoding: [first, try codeUnit()], as: UTF16.self)
        case let byte? where [UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/")].contains(byte):
            return String(UnicodeScalar(byte))
        default: throw fault("an escape is unknown")
        }
    }

    /// The four hexadecimal digits behind the position, which is then at the last.
    private mutating func codeUnit() throws(ConformanceError) -> UInt16 {
        let digits = bytes.dropFirst(position + 1).prefix(4)
        position += 4
        guard digits.count == 4, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
            throw fault("an escape has no four digits")
        }
        return unit
    }

    private mutating func number() throws(ConformanceError) -> JSONTree {
        let digits = String(decoding: bytes[position...].prefix { Self.isOfNumber($0) }, as: UTF8.self)
        guard digits.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil else {
            throw fault("a value is expected")
        }
        position += digits.utf8.count
        return .number(digits)
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: Array("-+.eE".utf8).contains(byte)
        }
    }

    private mutating func literal(_ name: String, _ value: JSONTree) throws(ConformanceError) -> JSONTree {
        guard bytes[position...].starts(with: Array(name.utf8)) else { throw fault("a value is expected") }
        position += name.utf8.count
        return value
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private func fault(_ what: String) -> ConformanceError {
        ConformanceError("the text is not JSON at byte \(position): \(what)")
    }
}
