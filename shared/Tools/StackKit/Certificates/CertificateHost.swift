import Glibc
import SwiftASN1
import X509

/// A host that a private authority issues certificates for.
package enum CertificateHost: Sendable, Equatable {
    /// `localhost`, or a name that ends in `.local` (RFC 6762 §3).
    case name(String)
    /// An IPv4 address of this machine or of a private network (RFC 1918), in network byte order.
    case v4([UInt8])
    /// `::1`.
    case loopback6

    /// The host names that an authority may issue certificates for. Addresses are not constrained, because BoringSSL refuses
    /// certificates whose addresses are.
    static let constraints = NameConstraints(permittedDNSDomains: ["localhost", "local"])

    private static let loopback = [UInt8](repeating: 0, count: 15) + [1]

    var name: GeneralName {
        switch self {
        case .name(let name): .dnsName(name)
        case .v4(let bytes): .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
        case .loopback6: .ipAddress(ASN1OctetString(contentBytes: Self.loopback[...]))
        }
    }

    /// This machine, as programs on it and phones in its network reach it.
    package static var ofThisMachine: [CertificateHost] {
        var hosts: [CertificateHost] = [.name("localhost"), .v4([127, 0, 0, 1]), .loopback6]
        if let name = hostName { hosts.append(.name("\(name).local")) }
        return hosts + privateAddresses.map { .v4($0) }
    }

    /// The first label of the machine's name, in lower case.
    static var hostName: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let label = name.prefix { $0 != "." }.lowercased()
        return label.isEmpty || label == "localhost" ? nil : label
    }

    /// The addresses of the network interfaces that are private ones, in order.
    private static var privateAddresses: [[UInt8]] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        let addresses = sequence(first: list) { $0?.pointee.ifa_next }.prefix { $0 != nil }.compactMap { entry in
            entry.flatMap { bytes(of: $0.pointee) }
        }
        return Set(addresses.filter(isPrivate)).sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func bytes(of entry: ifaddrs) -> [UInt8]? {
        guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET else { return nil }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
            withUnsafeBytes(of: address.pointee.sin_addr.s_addr) { Array($0) }
        }
    }

    private static func isPrivate(_ address: [UInt8]) -> Bool {
        switch (address[0], address[1]) {
        case (10, _), (172, 16...31), (192, 168): true
        default: false
        }
    }
}
