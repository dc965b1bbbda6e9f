import Glibc
import NIOCore

/// An IPv4 or IPv6 address without a port. An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) equals the IPv4 address.
struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The bits of the IPv6 address, or of the mapped IPv4 address.
    let bits: UInt128

    /// The bits before those of an IPv4 address.
    private static let v4Prefix: UInt128 = 0xffff_0000_0000

    init(bits: UInt128) { self.bits = bits }

    /// - Parameter v4: In host order.
    init(v4: UInt32) { bits = Self.v4Prefix | UInt128(v4) }

    /// - Returns: nil for a text of another form.
    init?(_ text: some StringProtocol) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let text = String(text)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(v4: bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(bits: bytes.reduce(0) { $0 << 8 | UInt128($1) })
        } else {
            return nil
        }
    }

    /// - Returns: nil for a Unix socket.
    init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else { return nil }
        self.init(text)
    }

    var isV4: Bool { bits >> 32 == 0xffff }

    var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let bytes = stride(from: 120, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt128($0)) }
        let (family, address) = isV4 ? (AF_INET, Array(bytes.suffix(4))) : (AF_INET6, bytes)
        inet_ntop(family, address, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
