import Glibc

/// A port that neither accepts nor refuses a connection, as one of a host that is switched off: its queue is full, so that
/// the kernel drops what would be the next.
final class SilentHost {
    let port: Int
    private let listener: MessageSocket
    private let waiting: [Int32]

    init() throws {
        (listener, port) = try MessageSocket.listen(backlog: 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        address.sin_port = UInt16(port).bigEndian
        waiting = (0..<4).map { _ in
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            return client
        }
    }

    deinit {
        listener.close()
        waiting.forEach { close($0) }
    }
}
