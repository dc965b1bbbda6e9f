extension ClusterNetwork {
    /// Creates the bridge with the first free number.
    ///
    /// - Parameter chosen: Is called with the network before anything of it is created.
    package static func claim(_ chosen: (ClusterNetwork) throws -> Void) async throws -> ClusterNetwork {
        let token = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
        for number in 1...250 {
            let network = ClusterNetwork(number: number, token: token)
            guard try await !network.isTaken() else { continue }
            try chosen(network)
            guard try await SystemCommand.attempt(["ip", "link", "add", network.bridge, "type", "bridge"]).succeeded
            else { continue }
            try await SystemCommand.run("ip", "link", "set", network.bridge, "alias", token)
            try await SystemCommand.run("ip", "addr", "add", "\(network.machine)/24", "dev", network.bridge)
            try await SystemCommand.run("ip", "link", "set", network.bridge, "up")
            return network
        }
        throw StackError(
            "no bridge of a cluster can be created: 10.213.1.0/24 to 10.213.250.0/24 are in use"
        )
    }

    /// Whether the bridge exists, or another route leads to the addresses.
    private func isTaken() async throws -> Bool {
        if try await SystemCommand.attempt(["ip", "link", "show", bridge]).succeeded { return true }
        let routes = try await SystemCommand.run("ip", "-4", "route", "show", "to", "match", machine)
        return routes.split(separator: "\n").contains { !$0.hasPrefix("default") }
    }

    /// Creates the namespaces of hosts and the links between all of them.
    package func build(size: Int) async throws {
        for host in 1...size {
            let space = namespace(of: host)
            try await SystemCommand.run("ip", "netns", "add", space)
            try await on(host, "link", "set", "lo", "up")
            try await SystemCommand.run(
                ["ip", "link", "add", port(of: host), "type", "veth", "peer", "name", Self.uplink, "netns", space]
            )
            try await SystemCommand.run("ip", "link", "set", port(of: host), "master", bridge, "up")
            try await on(host, "addr", "add", "\(address(of: host))/32", "dev", Self.uplink)
            try await connect(host, by: Self.uplink, to: machine)
            for other in 1..<host { try await connect(host, with: other) }
        }
    }

    private func connect(_ host: Int, with other: Int) async throws {
        let (near, far) = (Self.interface(to: other), Self.interface(to: host))
        try await on(host, "link", "add", near, "type", "veth", "peer", "name", far, "netns", namespace(of: other))
        try await connect(host, by: near, to: address(of: other))
        try await connect(other, by: far, to: address(of: host))
    }

    private func connect(_ host: Int, by device: String, to peer: String) async throws {
        try await on(host, "link", "set", device, "up")
        try await on(host, "route", "add", "\(peer)/32", "dev", device, "src", address(of: host))
    }

    private func on(_ host: Int, _ words: String...) async throws {
        try await SystemCommand.run(["ip", "-n", namespace(of: host)] + words)
    }

    /// Whether all namespaces of so many hosts exist and are this network's.
    package func isBuilt(size: Int) async throws -> Bool {
        for host in 1...size {
            let words = ["ip", "-n", namespace(of: host), "route", "show", "\(machine)/32"]
            let (succeeded, output) = try await SystemCommand.attempt(words)
            guard succeeded, !output.isEmpty else { return false }
        }
        return try await owns
    }

    /// Removes what exists of it: the namespaces with their ends of the links, and the bridge.
    package func remove() async throws {
        for space in KernelFile.names("/run/netns") where space.hasPrefix("madang-\(token)-") {
            try await SystemCommand.run("ip", "netns", "delete", space)
        }
        guard try await owns else { return }
        // The kernel removes the interfaces of a namespace some time after it.
        for port in try await ports { _ = try await SystemCommand.attempt(["ip", "link", "delete", port]) }
        try await SystemCommand.run("ip", "link", "delete", bridge)
    }

    /// Whether the bridge is this network's. One without an alias was created by a command that was killed right then.
    private var owns: Bool {
        get async throws {
            let (exists, output) = try await SystemCommand.attempt(["ip", "link", "show", bridge])
            guard exists else { return false }
            if output.contains(" alias \(token)") { return true }
            guard !output.contains(" alias ") else { return false }
            return try await ports.isEmpty
        }
    }

    /// The interfaces on the bridge.
    private var ports: [String] {
        get async throws {
            let output = try await SystemCommand.run("ip", "-o", "link", "show", "master", bridge)
            // `4: madang-1-1@if2: <BROADCAST,…`.
            return output.split(separator: "\n").compactMap { line in
                line.split(separator: " ").dropFirst().first.map { String($0.prefix { $0 != "@" && $0 != ":" }) }
            }
        }
    }
}
