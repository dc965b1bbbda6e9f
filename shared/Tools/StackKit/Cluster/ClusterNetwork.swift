/// The names and addresses of a cluster's network.
///
/// A bridge connects each host with the machine, as Docker does; a pair of virtual interfaces connects each two hosts, so
/// that every link is a pair of devices of its own.
package struct ClusterNetwork: Codable, Sendable, Equatable {
    /// N in the bridge `madang-N` and the addresses 10.213.N.0/24.
    package var number: Int
    /// Is part of the names of namespaces, which the whole machine shares.
    package var token: String

    package init(number: Int, token: String) {
        (self.number, self.token) = (number, token)
    }

    package var range: String { "10.213.\(number).0/24" }
    /// The machine's address, from which clients on it reach the hosts.
    package var machine: String { "10.213.\(number).254" }
    package func address(of host: Int) -> String { "10.213.\(number).\(host)" }

    package var bridge: String { "madang-\(number)" }
    package func namespace(of host: Int) -> String { "madang-\(token)-\(host)" }

    /// The interface of a host towards the machine.
    package static let uplink = "eth0"
    /// The other end of it, on the bridge.
    package func port(of host: Int) -> String { "madang-\(number)-\(host)" }
    /// The interface towards another host.
    package static func interface(to host: Int) -> String { "to-\(host)" }

    /// The words before a command that runs on a host.
    package func prefix(of host: Int) -> [String] {
        [Executables.find("ip") ?? "ip", "netns", "exec", namespace(of: host)]
    }
}
