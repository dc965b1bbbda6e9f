import NIOCore

/// The escapes of special characters in headers (STOMP 1.2, "Value Encoding").
enum STOMPEscapes {
    /// - Throws: For an undefined escape, which is a fatal error.
    static func undo(_ text: Substring) throws(STOMPRefusal) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch rest.next() {
            case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "c"): bytes.append(UInt8(ascii: ":"))
            case UInt8(ascii: "n"): bytes.append(0x0a)
            case UInt8(ascii: "r"): bytes.append(0x0d)
            default: throw STOMPRefusal("A header has an escape that does not exist.")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func escape(_ text: String) -> String {
        var bytes = ByteBuffer()
        bytes.writeSTOMPEscaped(text)
        return String(buffer: bytes)
    }
}

extension ByteBuffer {
    /// Writes a header line.
    ///
    /// - Parameter escapes: False for version 1.0, which has no escapes.
    mutating func writeSTOMPHeader(_ name: StaticString, _ value: String, escapes: Bool) {
        writeStaticString(name)
        writeInteger(UInt8(ascii: ":"))
        if escapes { writeSTOMPEscaped(value) } else { writeString(value) }
        writeInteger(UInt8(0x0a))
    }

    fileprivate mutating func writeSTOMPEscaped(_ value: String) {
        guard value.utf8.contains(where: Self.isSpecial) else {
            writeString(value)
            return
        }
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): writeStaticString("\\\\")
            case UInt8(ascii: ":"): writeStaticString("\\c")
            case 0x0a: writeStaticString("\\n")
            case 0x0d: writeStaticString("\\r")
            default: writeInteger(byte)
            }
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: "\\") || byte == 0x0a || byte == 0x0d
    }
}
