extension StringProtocol {
    /// The percent-decoded form of a path component, each `%XX` a byte (RFC 3986 §2.1); nil if it is malformed or not
    /// UTF-8. It is decoded once only.
    package var percentDecoded: String? {
        let parts = split(separator: "%", omittingEmptySubsequences: false)
        var bytes = Array((parts.first ?? "").utf8)
        for part in parts.dropFirst() {
            let digits = part.utf8.prefix(2).compactMap(\.hexDigit)
            guard digits.count == 2 else { return nil }
            bytes.append(digits[0] << 4 | digits[1])
            bytes += part.utf8.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
