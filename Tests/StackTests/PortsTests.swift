import Glibc
import TestKit
import Testing

@testable import Stack
@testable import StackKit

@Suite struct PortsTests {
    @Test func takenPort_namesItsOwner() async throws {
        let (descriptor, port) = try Self.listen()
        #expect(!Ports.isFree(port))
        // A process that another test is about to start may hold the same socket for a moment.
        try await eventually("the port's owner is this process") {
            Ports.owner(of: port)?.hasSuffix(", process \(getpid())") == true
        }
        close(descriptor)
        try await eventually("it is free again") { Ports.isFree(port) && Ports.owner(of: port) == nil }
    }

    /// A socket that listens on a port which the system has picked.
    static func listen() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && Glibc.listen(descriptor, 1) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        try #require(bound)
        return (descriptor, Int(in_port_t(bigEndian: address.sin_port)))
    }
}
