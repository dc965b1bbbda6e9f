/// Finds the client's address in the fields of a request that a trusted proxy has forwarded: the right-most address that
/// is not a trusted proxy's. What stands left of it was written by the client.
struct ForwardedAddress {
    let proxies: TrustedProxies

    /// The maximum length of an element that is read, in bytes.
    private static let lengthLimit = 256

    /// - Parameters:
    ///   - peer: The proxy at the other end of the connection.
    ///   - bytes: The head.
    /// - Returns: `peer`, or the last proxy before it, if no address is given there.
    func find(_ fields: HeaderFields, of bytes: Span<UInt8>, from peer: IPAddress) -> IPAddress {
        var address = peer
        guard fields.present.contains(.forwarded) else { return address }
        for field in fields.lines.reversed() where isRead(field, of: bytes) {
            var end = field.value.upperBound
            while end > field.value.lowerBound {
                var start = end
                while start > field.value.lowerBound, bytes[start - 1] != .comma { start -= 1 }
                guard let hop = hop(bytes, in: bytes.trimmed(start..<end)) else { return address }
                address = hop
                guard proxies.contains(hop) else { return address }
                end = start - 1
            }
        }
        return address
    }

    private func isRead(_ field: HeaderField, of bytes: Span<UInt8>) -> Bool {
        let name = field.line.lowerBound..<field.nameEnd
        return switch proxies.source {
        case .forwardedFor: field.name == .forwarded && bytes.matches("x-forwarded-for", in: name)
        case .forwarded: field.name == .forwarded && bytes.matches("forwarded", in: name)
        case .proxyProtocol: false
        }
    }

    private func hop(_ bytes: Span<UInt8>, in range: Range<Int>) -> IPAddress? {
        guard range.count <= Self.lengthLimit else { return nil }
        let element = String(decoding: range.map { bytes[$0] }, as: UTF8.self)
        return proxies.source == .forwarded ? Self.node(ofPairs: element) : Self.address(ofNode: element)
    }

    /// The address of `for=192.0.2.43;proto=https` (RFC 7239 §4).
    private static func node(ofPairs element: String) -> IPAddress? {
        for pair in element.split(separator: ";") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, sides[0].filter({ $0 != " " }).lowercased() == "for" else { continue }
            return address(ofNode: sides[1].filter { $0 != "\"" && $0 != " " })
        }
        return nil
    }

    /// The address of `192.0.2.43`, `192.0.2.43:47011`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:47011`.
    private static func address(ofNode node: String) -> IPAddress? {
        if node.hasPrefix("["), let end = node.firstIndex(of: "]") {
            return IPAddress(node[node.index(after: node.startIndex)..<end])
        }
        let parts = node.split(separator: ":", omittingEmptySubsequences: false)
        return IPAddress(parts.count == 2 ? parts[0] : node[...])
    }
}
