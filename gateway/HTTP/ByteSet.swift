/// A set of ASCII bytes in two words, so that one shift tests whether a byte is allowed.
struct ByteSet: Sendable {
    let low: UInt64
    let high: UInt64

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let word = byte < 64 ? low : byte < 128 ? high : 0
        return (word >> UInt64(byte & 63)) & 1 == 1
    }

    /// `tchar` (RFC 9110 §5.6.2): methods and field names.
    static let token = ByteSet(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe)
    /// `pchar` without `%` (RFC 3986 §3.3): the unencoded characters of a path segment.
    static let segment = ByteSet(low: 0x2fff_7fd2_0000_0000, high: 0x47ff_fffe_87ff_ffff)
    /// `unreserved` (RFC 3986 §2.3): the characters that are never percent-encoded in a normalized path.
    static let unreserved = ByteSet(low: 0x03ff_6000_0000_0000, high: 0x47ff_fffe_87ff_fffe)
    /// Visible ASCII except `#` and `%`: wider than RFC 3986's `query`, because clients leave quotes and brackets
    /// unencoded.
    static let query = ByteSet(low: 0xffff_ffd6_0000_0000, high: 0x7fff_ffff_ffff_ffff)
    /// The characters of a host name or an IPv4 address.
    static let hostName = ByteSet(low: 0x03ff_6000_0000_0000, high: 0x07ff_fffe_87ff_fffe)
    /// The characters of an IPv6 address (RFC 3986 §3.2.2).
    static let address = ByteSet(low: 0x07ff_4000_0000_0000, high: 0x0000_007e_0000_007e)
    /// Visible ASCII, space and tab: the ASCII part of a field value (RFC 9110 §5.5).
    static let fieldValue = ByteSet(low: 0xffff_ffff_0000_0200, high: 0x7fff_ffff_ffff_ffff)
}

extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let question = UInt8(ascii: "?")
    static let percent = UInt8(ascii: "%")

    /// The value of a hexadecimal digit, or nil.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The lower-case form of an ASCII letter; other bytes are unchanged.
    var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}

extension Span<UInt8> {
    /// Whether the bytes of a range equal an ASCII word.
    func spells(_ word: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            for offset in 0..<word.count where self[range.lowerBound + offset] != word[offset] { return false }
            return true
        }
    }

    /// Whether the bytes of a range equal an ASCII word, ignoring case; `word` is in lower case.
    func matches(_ word: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            for offset in 0..<word.count where self[range.lowerBound + offset].lowercased != word[offset] {
                return false
            }
            return true
        }
    }
}
