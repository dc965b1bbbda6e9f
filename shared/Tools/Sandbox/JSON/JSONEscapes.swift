/// The escapes of JSON strings (RFC 8259 §7).
enum JSONEscapes {
    /// The unescaped text; nil for an invalid escape, half of a surrogate pair, or bytes that are not UTF-8.
    static func text(of content: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(content.count)
        var rest = content
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            guard let escape = rest.popFirst() else { return nil }
            if escape == UInt8(ascii: "u") {
                guard let scalar = scalar(&rest) else { return nil }
                result += Array(String(scalar).utf8)
            } else {
                guard let meant = short[escape] else { return nil }
                result.append(meant)
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    private static let short: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    /// The character of four digits, or of a surrogate pair.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let first = unit(&rest) else { return nil }
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"), let second = unit(&rest),
            UTF16.isTrailSurrogate(second)
        else { return nil }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt16? {
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        guard digits.count == 4, digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-") else {
            return nil
        }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
