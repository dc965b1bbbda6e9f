/// base64url without padding (RFC 4648 §5), as used by JOSE. Decoding is strict: no padding, no other characters, and
/// no non-zero bits at the end, so that every value has exactly one encoding.
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var accumulator: UInt32 = 0
        var bits = 0
        for byte in bytes {
            accumulator = (accumulator << 8) | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int((accumulator >> UInt32(bits)) & 63)])
            }
        }
        if bits > 0 {
            text.append(alphabet[Int((accumulator << UInt32(6 - bits)) & 63)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes the encoding of bytes; the target has room for it.
    ///
    /// - Returns: The number of characters.
    static func write(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) -> Int {
        var accumulator: UInt32 = 0
        var bits = 0
        var count = 0
        for byte in bytes {
            accumulator = (accumulator << 8) | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                target[count] = character(accumulator >> UInt32(bits))
                count += 1
            }
        }
        guard bits > 0 else { return count }
        target[count] = character(accumulator << UInt32(6 - bits))
        return count + 1
    }

    /// The character of the lowest six bits.
    private static func character(_ bits: UInt32) -> UInt8 {
        switch UInt8(truncatingIfNeeded: bits & 63) {
        case let bits where bits < 26: bits + UInt8(ascii: "A")
        case let bits where bits < 52: bits - 26 + UInt8(ascii: "a")
        case let bits where bits < 62: bits - 52 + UInt8(ascii: "0")
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    /// The bytes, or nil if the text is not canonical base64url.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var accumulator: UInt32 = 0
        var bits = 0
        for character in text {
            guard let value = value(of: character) else { return nil }
            accumulator = (accumulator << 6) | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: accumulator >> UInt32(bits)))
            }
        }
        let rest = accumulator & ((1 << UInt32(bits)) - 1)
        return rest == 0 ? bytes : nil
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
