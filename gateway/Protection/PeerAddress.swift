import NIOCore

/// The address that limits are kept by: an IPv4 address, or the /64 network of an IPv6 one, since a single customer
/// commands all of that.
struct PeerAddress: Hashable, Sendable {
    private var bits: UInt64 = 0

    private static let v4Mark: UInt64 = 0xffff_0000_0000

    init(_ address: SocketAddress?) {
        guard let address else { return }
        address.withSockAddr { pointer, _ in
            // `sockaddr_in` has its address at byte 4, `sockaddr_in6` at byte 8, both in network order.
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

    /// An IPv4 address in IPv6 clothing (RFC 4291 §2.5.5.2) is the IPv4 address.
    private static func network(high: UInt64, low: UInt64) -> UInt64 {
        high == 0 && low >> 32 == 0xffff ? low : high
    }
}
