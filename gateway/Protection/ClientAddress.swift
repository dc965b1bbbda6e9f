import NIOCore

/// The address that limits apply to: an IPv4 address, or the /64 network of an IPv6 address, because a single customer
/// controls all of that network.
struct ClientAddress: Hashable, Sendable {
    private let bits: UInt64

    private static let v4Mark: UInt64 = 0xffff_0000_0000

    /// - Parameter address: nil for a Unix socket.
    init(_ address: IPAddress?) {
        guard let address else {
            bits = 0
            return
        }
        bits =
            address.isV4
            ? UInt64(truncatingIfNeeded: address.bits) & 0xffff_ffff | Self.v4Mark
            : UInt64(truncatingIfNeeded: address.bits >> 64)
    }
}
