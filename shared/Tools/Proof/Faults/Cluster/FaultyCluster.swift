import PostgresServer
package import StackKit

/// A running cluster (`stack cluster up`) that faults are applied to.
package struct FaultyCluster: FaultySystem {
    private let folder: ClusterFolder
    private let network: ClusterNetwork
    private let size: Int
    private let stack: String
    private let links: LinkFaults
    private let providers: ProviderFaults
    private let programs: Programs
    private let environment: [String: String]
    private let failsOver: Bool

    /// - Parameters:
    ///   - stack: The path of `stack`.
    ///   - environment: The settings that `stack cluster up` had, for programs that are replaced.
    ///   - failsOver: Whether the standby may be promoted. Replication is asynchronous, so that commits of the last moment
    ///     may be lost, which were acknowledged.
    /// - Throws: `StackError` while the cluster is down.
    package init(
        _ folder: ClusterFolder,
        stack: String,
        environment: [String: String] = [:],
        failsOver: Bool = false
    ) throws {
        let (cluster, network) = try folder.running
        (self.folder, self.network, size, self.stack) = (folder, network, cluster.size, stack)
        (self.environment, self.failsOver) = (environment, failsOver)
        links = LinkFaults(network: network, size: cluster.size)
        programs = try Programs(environment: folder.installation(of: 1).savedPorts)
        providers = ProviderFaults("http://\(network.address(of: 1)):\(programs.sandbox.port.number)")
    }

    package func action(for fault: PlannedFault) async throws -> FaultAction {
        let (name, host) = (fault.target.name, fault.target.host ?? 1)
        let processes = processes(of: host)
        switch fault.kind {
        case .kill: return try processes.kill(name)
        case .stop: return try processes.stop(name)
        case .descriptors: return try await DescriptorFaults(processes: processes).limit(name)
        case .killSupervisor: return try processes.killSupervisor()
        case .killBackend, .killCheckpointer, .stopDatabase, .slowCommits, .restartDatabase, .killDatabase:
            return try database().action(for: fault)
        case .providerLate, .providerLost, .providerFails, .providerSilent, .webhookTwice:
            return try providers.action(for: fault)
        case .wrongClock, .upgrade: return try UpgradeFaults(stack: command(on: host)).action(for: fault)
        case .cut, .slowLink, .lossyLink: return try links.action(for: fault)
        case .killAnnouncer: return try killAnnouncer(of: host)
        case .failover: return try failover()
        case .killSandbox, .fullDisk, .move, .restoreDrill:
            throw FaultNotApplied("\(fault.kind.rawValue) is for an installation on one machine.")
        }
    }

    package func offer() async -> FaultOffer {
        var offer = FaultOffer()
        func everywhere(_ names: [String]) -> [FaultTarget] {
            (1...size).flatMap { host in names.map { FaultTarget($0, host: host) } }
        }
        let all = programs.upgradable.map(\.name)
        offer.add(.kill, everywhere(all))
        offer.add(.stop, everywhere(all + [ProcessFaults.supervisor]))
        offer.add(.descriptors, everywhere(all), unless: DescriptorFaults.obstacle)
        offer.add(.killSupervisor, everywhere([ProcessFaults.supervisor]))
        offer.addDatabase()
        offer.addProviders()
        offer.addUpgrades(all: everywhere(all), services: everywhere(programs.services.map(\.name)))
        let ways = links.links.map { FaultTarget($0.name) }
        offer.add(.cut, ways)
        var obstacle: String?
        do { try await ClusterLink.requireImpairment() } catch { obstacle = "\(error)." }
        offer.add(.slowLink, ways, unless: obstacle)
        offer.add(.lossyLink, ways, unless: obstacle)
        offer.add(.killAnnouncer, everywhere(["nats"]))
        offer.add(
            .failover,
            [FaultTarget(DatabaseFaults.name)],
            unless: failsOver
                ? nil : "Replication is asynchronous: acknowledged commits of the last moment may be lost."
        )
        for kind in [FaultKind.killSandbox, .fullDisk, .move, .restoreDrill] {
            offer.leaveOut(kind, because: "It is for an installation on one machine.")
        }
        return offer
    }

    package func undoAll() async -> [String] {
        for host in 1...size { processes(of: host).undo() }
        ProcessFaults(folder: folder.servers).undo()
        var failures = UndoFailures()
        await failures.attempt("Faults of links", within: .seconds(30)) { try await links.undo() }
        await failures.attempt("Faults of providers") { try await providers.undo() }
        await failures.attempt("Slow commits") {
            let database = try database()
            database.undo()
            if database.server.isRunning { try await database.undoCommits() }
        }
        return failures.sentences
    }

    private func processes(of host: Int) -> ProcessFaults {
        ProcessFaults(folder: folder.installation(of: host), prefix: network.prefix(of: host))
    }

    /// A command of the cluster.
    private var cluster: StackCommand {
        StackCommand(prefix: [stack, "cluster"], suffix: ["--cluster", folder.path], folder: folder.servers)
    }

    /// A command of an installation, in the network of its host.
    private func command(on host: Int) -> StackCommand {
        let words = [stack, "cluster", "exec", "\(host)", "--cluster", folder.path, "--", "stack"]
        return StackCommand(prefix: words, folder: folder.installation(of: host), environment: environment)
    }

    /// The present primary.
    private func database() throws -> DatabaseFaults {
        let host = try folder.running.cluster.primary
        let server = try PostgresServer(directory: folder.postgres(of: host), prefix: network.prefix(of: host))
        var url = try ServerURL("postgres://postgres@\(network.address(of: host)):\(Cluster.databasePort)")
        url.password = server.password
        return DatabaseFaults(server: server, administrator: { [url] in url }) { [cluster] in
            try await cluster.run(["restart", "\(host)", "postgres"])
        }
    }

    private func killAnnouncer(of host: Int) throws -> FaultAction {
        let kill = try ProcessFaults(folder: folder.servers).kill(folder.announcer(of: host))
        return FaultAction(begin: kill.begin) { [cluster] in
            try await cluster.run(["restart", "\(host)", "nats"])
        }
    }

    private func failover() throws -> FaultAction {
        let former = try folder.running.cluster.primary
        return FaultAction { [cluster] in
            try await cluster.run(["promote"])
            return "PostgreSQL of host \(former) was lost, and that of host \(3 - former) promoted."
        } end: { [cluster] in
            // It becomes the standby.
            try await cluster.run(["restart", "\(former)", "postgres"])
        }
    }
}
