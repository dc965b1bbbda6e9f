/// The proxies before the gateway that say from whom a request comes: `TRUSTED_PROXIES` and `PROXY_ADDRESS`.
struct TrustedProxies: Sendable {
    /// Where a proxy writes the client's address. A proxy passes on what clients write into the other fields, so exactly
    /// one is read.
    enum Source: String, Sendable, CaseIterable {
        /// The header field `X-Forwarded-For`, to which each proxy appends an address.
        case forwardedFor = "x-forwarded-for"
        /// The header field `Forwarded` (RFC 7239).
        case forwarded
        /// A header before the first request of a connection: the PROXY protocol, version 1 or 2.
        case proxyProtocol = "proxy-protocol"
    }

    private var networks: [(base: UInt128, mask: UInt128)] = []
    var source = Source.forwardedFor

    /// No proxy is trusted.
    init() {}

    /// - Parameter networks: Addresses and networks: `10.0.0.0/8`, `::1`.
    /// - Returns: nil if one of them has another form.
    init?(networks texts: [String], source: Source = .forwardedFor) {
        for text in texts {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let address = IPAddress(parts[0]) else { return nil }
            let length = address.isV4 && !parts[0].contains(":") ? 32 : 128
            guard let prefix = parts.count == 1 ? length : Int(parts[1]), (0...length).contains(prefix) else {
                return nil
            }
            let mask = UInt128.max << UInt128(length - prefix)
            networks.append((address.bits & mask, mask))
        }
        self.source = source
    }

    var isEmpty: Bool { networks.isEmpty }

    func contains(_ address: IPAddress) -> Bool {
        networks.contains { address.bits & $0.mask == $0.base }
    }
}
