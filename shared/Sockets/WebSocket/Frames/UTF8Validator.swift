/// Validates UTF-8 (RFC 3629) in text that arrives in pieces: no overlong forms, no surrogates, nothing above U+10FFFF.
/// An error is detected at its first byte.
struct UTF8Validator {
    /// The number of missing continuation bytes.
    private var missing = 0
    /// The valid range of the next continuation byte.
    private var allowed: ClosedRange<UInt8> = 0x80...0xbf

    /// Whether the text may end here.
    var isComplete: Bool { missing == 0 }

    /// - Returns: False if the text is not valid UTF-8.
    mutating func accept(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            let byte = bytes[index]
            if missing == 0 {
                guard byte < 0x80 || begin(byte) else { return false }
            } else {
                guard allowed.contains(byte) else { return false }
                allowed = 0x80...0xbf
                missing -= 1
            }
        }
        return true
    }

    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xc2...0xdf:
            missing = 1
        case 0xe0...0xef:
            missing = 2
            if byte == 0xe0 { allowed = 0xa0...0xbf }
            if byte == 0xed { allowed = 0x80...0x9f }
        case 0xf0...0xf4:
            missing = 3
            if byte == 0xf0 { allowed = 0x90...0xbf }
            if byte == 0xf4 { allowed = 0x80...0x8f }
        default:
            return false
        }
        return true
    }
}
