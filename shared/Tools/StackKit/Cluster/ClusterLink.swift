/// A link between two hosts of a cluster, or between a host and the machine with the clients.
package struct ClusterLink: Sendable {
    /// For messages, such as `1–2`.
    package let name: String
    private let ends: [End]

    /// One of its two devices.
    private struct End {
        /// nil for the machine's.
        var namespace: String?
        /// The device that sends packets to the other end.
        var device: String
        /// The device of the neighbour table; another one on a bridge.
        var table: String
        /// The other end's address.
        var peer: String

        func run(_ program: String, _ words: [String]) async throws -> String {
            try await SystemCommand.run([program] + (namespace.map { ["-n", $0] } ?? []) + words)
        }
    }

    /// What happens to packets, in both directions.
    package struct State: Sendable, Equatable, CustomStringConvertible {
        package var isCut: Bool
        /// As `tc` prints it, such as `delay 50ms loss 1%`; empty for none.
        package var impairment: String

        package var description: String {
            let parts = (isCut ? ["cut"] : []) + (impairment.isEmpty ? [] : [impairment])
            return parts.isEmpty ? "whole" : parts.joined(separator: ", ")
        }
    }

    /// - Parameter other: nil for the link to the machine.
    package init(_ network: ClusterNetwork, _ host: Int, _ other: Int?) {
        let space = network.namespace(of: host)
        guard let other else {
            let (uplink, port) = (ClusterNetwork.uplink, network.port(of: host))
            name = "\(host)–clients"
            ends = [
                End(namespace: space, device: uplink, table: uplink, peer: network.machine),
                End(namespace: nil, device: port, table: network.bridge, peer: network.address(of: host)),
            ]
            return
        }
        name = "\(min(host, other))–\(max(host, other))"
        ends = [(host, other), (other, host)].map { near, far in
            let device = ClusterNetwork.interface(to: far)
            return End(
                namespace: network.namespace(of: near),
                device: device,
                table: device,
                peer: network.address(of: far)
            )
        }
    }

    /// All links of a cluster.
    package static func all(_ network: ClusterNetwork, size: Int) -> [ClusterLink] {
        (1...size).flatMap { host in
            [ClusterLink(network, host, nil)] + (host..<size).map { ClusterLink(network, host, $0 + 1) }
        }
    }

    /// The links of a host.
    package static func all(of host: Int, _ network: ClusterNetwork, size: Int) -> [ClusterLink] {
        let others = (1...size).filter { $0 != host }
        return [ClusterLink(network, host, nil)] + others.map { ClusterLink(network, host, $0) }
    }

    /// An address of hardware that no device has.
    private static let nowhere = "02:00:00:00:00:00"

    /// Loses all packets in both directions without an error, as a cut cable behind a switch does: they are sent to an
    /// address of hardware that no device has.
    package func cut() async throws {
        for end in ends {
            let entry = [end.peer, "lladdr", Self.nowhere, "nud", "permanent", "dev", end.table]
            _ = try await end.run("ip", ["neigh", "replace"] + entry)
        }
    }

    /// Delays and loses packets of each direction.
    ///
    /// - Parameter words: Of `tc-netem(8)`.
    /// - Throws: `StackError` if the kernel cannot do that.
    package func impair(_ words: [String]) async throws {
        try await Self.requireImpairment()
        for end in ends {
            let queue = ["qdisc", "replace", "dev", end.device, "root", "netem", "limit", "100000"]
            _ = try await end.run("tc", queue + words)
        }
    }

    /// Ends cuts, delays and losses.
    package func restore() async throws {
        for end in ends {
            let state = try await Self.state(of: end)
            if state.isCut { _ = try await end.run("ip", ["neigh", "delete", end.peer, "dev", end.table]) }
            if !state.impairment.isEmpty {
                _ = try await end.run("tc", ["qdisc", "delete", "dev", end.device, "root"])
            }
        }
    }

    package var state: State {
        get async throws {
            var whole = State(isCut: false, impairment: "")
            for end in ends {
                let state = try await Self.state(of: end)
                whole.isCut = whole.isCut || state.isCut
                if whole.impairment.isEmpty { whole.impairment = state.impairment }
            }
            return whole
        }
    }

    private static func state(of end: End) async throws -> State {
        let isCut = try await end.run("ip", ["neigh", "show", end.peer, "dev", end.table]).contains(nowhere)
        guard Executables.find("tc") != nil else { return State(isCut: isCut, impairment: "") }
        return State(
            isCut: isCut,
            impairment: impairment(try await end.run("tc", ["qdisc", "show", "dev", end.device]))
        )
    }

    /// The words behind the limit in `qdisc netem 8001: root refcnt 2 limit 100000 delay 50ms loss 1%`.
    static func impairment(_ queue: String) -> String {
        let line = queue.split(separator: "\n").first { $0.hasPrefix("qdisc netem ") } ?? ""
        return line.split(separator: " ").drop { $0 != "limit" }.dropFirst(2).joined(separator: " ")
    }

    /// - Throws: `StackError` if the kernel cannot delay and lose packets.
    package static func requireImpairment() async throws {
        guard Executables.find("tc") != nil else {
            throw StackError("tc is not installed, which delays and loses packets; apt-get install iproute2")
        }
        // In a namespace that ends with the command.
        let words = ["unshare", "--net", "tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"]
        guard try await SystemCommand.attempt(words).succeeded else {
            throw StackError(
                "this kernel has no sch_netem, which delays and loses packets; "
                    + "load it with `modprobe sch_netem`, or use --cut"
            )
        }
    }
}
