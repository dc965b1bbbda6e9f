import NIOCore

/// The address that limits apply to: an IPv4 address, or the /64 network of an IPv6 address, because a single customer
/// controls all of that network.
struct ClientAddress: Hashable, Sendable {
    private var bits: UInt64 = 0

    private static let v4Mark: UInt64 = 0xffff_0000_0000

    init(_ address: SocketAddress?) {
        guard let address else { return }
        address.withSockAddr { pointer, _ in
            // The address is at byte 4 of `sockaddr_in` and at byte 8 of `sockaddr_in6`, both in network order.
            let bytes = UnsafeRawPointer(pointer)
            switch address {
            case .v4:
                bits = Self.v4Mark | UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
            case .v6:
                bits = Self.network(
                    high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                    low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
                )
            case .unixDomainSocket: break
            }
        }
    }

    /// Maps an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) to the IPv4 address.
    private static func network(high: UInt64, low: UInt64) -> UInt64 {
        high == 0 && low >> 32 == 0xffff ? low : high
    }
}
