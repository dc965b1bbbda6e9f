/// The value of a Host field: `uri-host [ ":" port ]` (RFC 9112 §3.2, RFC 3986 §3.2.2).
enum HostField {
    /// Whether a value names a host: a name or an IPv4 address, or an address in brackets, with an optional port from 0 to
    /// 65535.
    static func isValid(_ value: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard !value.isEmpty else { return false }
        var index = value.lowerBound
        if bytes[index] == UInt8(ascii: "[") {
            index += 1
            while index < value.upperBound, ByteSet.address.contains(bytes[index]) { index += 1 }
            guard index < value.upperBound, bytes[index] == UInt8(ascii: "]"), index > value.lowerBound + 1 else {
                return false
            }
            index += 1
        } else {
            while index < value.upperBound, ByteSet.hostName.contains(bytes[index]) { index += 1 }
            guard index > value.lowerBound else { return false }
        }
        return index == value.upperBound || bytes[index] == .colon && isPort((index + 1)..<value.upperBound, in: bytes)
    }

    private static func isPort(_ digits: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        var port = 0
        for index in digits {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return false }
            port = port * 10 + Int(digit)
            guard port <= 65_535 else { return false }
        }
        return true
    }
}
