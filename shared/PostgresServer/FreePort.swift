import Glibc

/// Finds a TCP port on 127.0.0.1 that nobody uses at this moment.
package enum FreePort {
    package static func find() throws(PostgresServerError) -> Int {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw Files.failure("open", "a socket") }
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard bound else { throw Files.failure("bind", "a port on 127.0.0.1") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
