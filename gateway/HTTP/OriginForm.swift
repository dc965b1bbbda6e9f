/// Locates path and query in the forms of a request target (RFC 9112 §3.2).
enum OriginForm {
    /// The range of path and query in the bytes of a head.
    ///
    /// The absolute form (`http://host/path`) is accepted if its host equals the Host field. Asterisk and authority
    /// form belong to methods that the gateway does not serve.
    static func range(of head: RequestHead, in bytes: Span<UInt8>) throws(HTTPFault) -> Range<Int> {
        let target = head.target
        if bytes[target.lowerBound] == .slash { return target }
        guard let authorityStart = afterScheme(target, in: bytes) else { throw .target }
        var index = authorityStart
        while index < target.upperBound, bytes[index] != .slash {
            guard bytes[index] != .question else { throw .target }
            index += 1
        }
        guard bytes.equalsIgnoringCase(authorityStart..<index, head.host) else { throw .hostMismatch }
        guard index < target.upperBound else { throw .target }
        return index..<target.upperBound
    }

    private static func afterScheme(_ target: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        for scheme in ["http://", "https://"] as [StaticString] {
            let end = target.lowerBound + scheme.utf8CodeUnitCount
            if end < target.upperBound, bytes.matches(scheme, in: target.lowerBound..<end) { return end }
        }
        return nil
    }
}
