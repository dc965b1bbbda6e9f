/// Recognizes header names by one table lookup, by length and three letters, and one comparison.
struct HeaderNameTable: Sendable {
    static let shared = HeaderNameTable()

    private var slots: [HeaderName]

    init() {
        slots = Array(repeating: .other, count: 256)
        for name in HeaderName.allCases where name.spelling.utf8CodeUnitCount > 0 {
            name.spelling.withUTF8Buffer { spelling in
                let length = spelling.count
                slots[Self.slot(length, spelling[0], spelling[length / 2], spelling[length - 1])] = name
            }
        }
    }

    /// The name that the bytes of a range spell, ignoring case.
    func name(_ bytes: Span<UInt8>, in range: Range<Int>) -> HeaderName {
        let first = bytes[range.lowerBound] | 0x20
        let middle = bytes[range.lowerBound + range.count / 2] | 0x20
        let name = slots[Self.slot(range.count, first, middle, bytes[range.upperBound - 1] | 0x20)]
        if name != .other, bytes.matches(name.spelling, in: range) { return name }
        switch first {
        case UInt8(ascii: "x"), UInt8(ascii: "f"), UInt8(ascii: "t"), UInt8(ascii: "c"):
            return Self.family(bytes, in: range)
        default: return .other
        }
    }

    private static func family(_ bytes: Span<UInt8>, in range: Range<Int>) -> HeaderName {
        if begins(bytes, in: range, with: HeaderName.internalPrefix) { return .internalHeader }
        if begins(bytes, in: range, with: HeaderName.forwardedPrefix) { return .forwarded }
        for name in HeaderName.forwardedNames where bytes.matches(name, in: range) { return .forwarded }
        return .other
    }

    private static func begins(_ bytes: Span<UInt8>, in range: Range<Int>, with prefix: StaticString) -> Bool {
        let length = prefix.utf8CodeUnitCount
        return range.count >= length && bytes.matches(prefix, in: range.lowerBound..<(range.lowerBound + length))
    }

    /// The multipliers are chosen so that no two names share a slot.
    @inline(__always)
    private static func slot(_ length: Int, _ first: UInt8, _ middle: UInt8, _ last: UInt8) -> Int {
        (length &* 83 &+ Int(first) &* 169 &+ Int(middle) &* 162 &+ Int(last) &* 110) & 255
    }
}
