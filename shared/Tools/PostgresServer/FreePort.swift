import Glibc
import Synchronization

/// Finds a free TCP port on 127.0.0.1. No port is returned twice, to this process or to another one that searches at
/// the same time, so that the caller has time to start its server.
///
/// Ports are below the range of ephemeral ports (32768 and up), so that no outgoing connection takes the port before it
/// is used.
package enum FreePort {
    private static let range = 20_000..<32_768
    private static let given = Mutex<Set<Int>>([])
    /// Byte N is locked by the process that received port N, for its lifetime (fcntl(2), F_SETLK). Without the file,
    /// for example if another user owns it, ports are still unique within this process.
    private static let register = open("/tmp/madang-ports", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)

    package static func find() throws(PostgresServerError) -> Int {
        for _ in 0..<200 {
            let port = Int.random(in: range)
            guard given.withLock({ $0.insert(port).inserted }), isUnclaimed(port) else { continue }
            if try isFree(port) { return port }
        }
        throw Files.failure("bind", "a port on 127.0.0.1")
    }

    package static func find(_ count: Int) throws(PostgresServerError) -> [Int] {
        var ports: [Int] = []
        while ports.count < count { ports.append(try find()) }
        return ports
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
