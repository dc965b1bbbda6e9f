import FoundationEssentials
import Glibc

/// TCP ports of the loopback interface.
package enum Ports {
    /// Whether the port is free.
    package static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(clamping: port).bigEndian)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
    }

    /// The program that listens on a port, such as "nginx, process 812"; nil if `/proc` does not show it to this user.
    package static func owner(of port: Int) -> String? {
        guard let inode = listeningInode(port), let pid = process(holding: "socket:[\(inode)]") else { return nil }
        let name = KernelFile.text("/proc/\(pid)/comm")
        return "\(name?.split(separator: "\n").first ?? "a program"), process \(pid)"
    }

    /// `/proc/net/tcp`: local address as HEX:PORT in field 1, state in field 3 (0A listens), inode in field 9
    /// (proc(5)).
    private static func listeningInode(_ port: Int) -> Substring? {
        for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
            let text = KernelFile.text(table) ?? ""
            for line in text.split(separator: "\n").dropFirst() {
                let fields = line.split(separator: " ")
                guard fields.count > 9, fields[3] == "0A", let colon = fields[1].lastIndex(of: ":") else { continue }
                if Int(fields[1][fields[1].index(after: colon)...], radix: 16) == port { return fields[9] }
            }
        }
        return nil
    }

    private static func process(holding target: String) -> pid_t? {
        let files = FileManager.default
        let pids = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
        return pids.first { pid in
            let folder = "/proc/\(pid)/fd"
            let descriptors = (try? files.contentsOfDirectory(atPath: folder)) ?? []
            return descriptors.contains {
                (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == target
            }
        }
    }
}
