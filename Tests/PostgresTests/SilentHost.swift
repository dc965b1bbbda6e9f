import Glibc
import Testing

/// A port that neither accepts nor refuses a connection, as one of a host that is switched off: its queue is full, so that
/// the kernel drops what would be the next.
final class SilentHost {
    let port: UInt16
    private let descriptors: [CInt]

    init() throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (isBound, port) = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                (bind(listener, address, size) == 0 && listen(listener, 0) == 0, getsockname(listener, address, &size))
            }
        }
        try #require(isBound && port == 0)
        self.port = UInt16(bigEndian: address.sin_port)
        let waiting = (0..<4).map { _ in
            let client = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            withUnsafePointer(to: &address) { pointer in
                _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, size) }
            }
            return client
        }
        descriptors = [listener] + waiting
    }

    deinit { descriptors.forEach { close($0) } }
}
