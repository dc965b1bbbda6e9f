import Glibc
import Synchronization

/// Finds a TCP port on 127.0.0.1 that nobody uses at this moment, and never the same one twice: neither for this process,
/// nor for another one that looks at the same time. So whoever asked first has time to start its server.
///
/// Looks below the range from which the system takes ports for outgoing connections (32768 and up), so that none of those
/// takes the port before it is used.
package enum FreePort {
    private static let range = 20_000..<32_768
    private static let given = Mutex<Set<Int>>([])
    /// Byte N is locked by the process that was given port N, for as long as it lives (fcntl(2), F_SETLK). Without it,
    /// as when the file is another user's, ports are still told apart within this process.
    private static let register = open("/tmp/madang-ports", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)

    package static func find() throws(PostgresServerError) -> Int {
        for _ in 0..<200 {
            let port = Int.random(in: range)
            guard given.withLock({ $0.insert(port).inserted }), isUnclaimed(port) else { continue }
            if try isFree(port) { return port }
        }
        throw Files.failure("bind", "a port on 127.0.0.1")
    }

    private static func isUnclaimed(_ port: Int) -> Bool {
        guard register >= 0 else { return true }
        var byte = flock()
        byte.l_type = Int16(F_WRLCK)
        byte.l_start = off_t(port)
        byte.l_len = 1
        return fcntl(register, F_SETLK, &byte) == 0
    }

    private static func isFree(_ port: Int) throws(PostgresServerError) -> Bool {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw Files.failure("open", "a socket") }
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
