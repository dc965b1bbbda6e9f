/// Writes JSON into bytes, without a text for each of its parts: a program may write tens of thousands of spans in a second.
struct JSONBytes {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes JSON.
    mutating func raw(_ json: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
    }

    mutating func raw(_ json: [UInt8]) { bytes += json }

    /// Writes a quoted string, escaped according to RFC 8259 §7.
    ///
    /// - Parameter limit: The number of bytes after which the text is cut, between two characters.
    mutating func string(_ text: String, limit: Int = .max) {
        var text = text
        text.withUTF8 { utf8 in
            var end = min(utf8.count, limit)
            while end < utf8.count, end > 0, utf8[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
            string(UnsafeBufferPointer(rebasing: utf8[..<end]))
        }
    }

    private mutating func string(_ utf8: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        if utf8.contains(where: Self.isEscaped) {
            for byte in utf8 {
                guard Self.isEscaped(byte) else {
                    bytes.append(byte)
                    continue
                }
                raw("\\u00")
                bytes.append(Self.digit(byte >> 4))
                bytes.append(Self.digit(byte & 15))
            }
        } else {
            bytes.append(contentsOf: utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Writes 16 hexadecimal digits.
    mutating func hex(_ value: UInt64) {
        for shift in stride(from: UInt64(60), through: 0, by: -4) {
            bytes.append(Self.digit(UInt8(truncatingIfNeeded: value >> shift) & 15))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    mutating func number(_ value: some FixedWidthInteger) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = UInt64(value.magnitude)
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Writes the elements with commas between them.
    mutating func list<Element>(_ elements: some Sequence<Element>, _ write: (inout JSONBytes, Element) -> Void) {
        raw("[")
        var isFirst = true
        for element in elements {
            if !isFirst { raw(",") }
            isFirst = false
            write(&self, element)
        }
        raw("]")
    }
}
