import Glibc

/// A port that nobody listens on and nobody else gets: connections to it are refused, until a test listens there itself.
final class HeldPort: Sendable {
    let port: Int
    private let socket: Int32

    init() throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var on: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
            return bind(socket, base, length) == 0 ? getsockname(socket, base, &length) : -1
        }
        guard code == 0 else { throw NoPort(code: errno) }
        self.socket = socket
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit {
        close(socket)
    }

    struct NoPort: Error {
        var code: Int32
    }
}
