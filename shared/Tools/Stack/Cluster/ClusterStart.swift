import FoundationEssentials
import PostgresServer
import StackKit

/// Starts a cluster and ends it.
struct ClusterStart: Sendable {
    let folder: ClusterFolder

    /// Starts what does not run.
    ///
    /// - Parameter size: The number of hosts; nil for that of before, or three.
    func up(size: Int?) async throws -> ClusterRun {
        try FileManager.default.createDirectory(atPath: folder.files, withIntermediateDirectories: true)
        var cluster = try folder.cluster ?? Cluster(size: size ?? 3, secret: Self.randomSecret)
        if let network = cluster.network, try await !network.isBuilt(size: cluster.size) {
            Console.progress("network", "is built again: it was lost")
            try await down()
            cluster.network = nil
        }
        if let size, size != cluster.size {
            guard cluster.network == nil else {
                throw StackError("the cluster runs with \(cluster.size) hosts; end it first: stack cluster down")
            }
            cluster.size = size
        }
        if cluster.network == nil {
            let start = ContinuousClock.now
            let network = try await ClusterNetwork.claim { network in
                cluster.network = network
                try folder.save(cluster)
            }
            try await network.build(size: cluster.size)
            Console.done("network", network.bridge, since: start)
        }
        let run = try ClusterRun(folder)
        try await run.startDatabase()
        try await run.startAnnouncers()
        try await run.startHosts()
        return run
    }

    private static var randomSecret: String {
        (0..<24).map { _ in String("0123456789abcdefghijklmnopqrstuvwxyz".randomElement() ?? "0") }.joined()
    }

    /// Ends all that runs, also what a crash has left, and removes the network. The data stays.
    func down() async throws {
        guard var cluster = try folder.cluster else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for host in cluster.hosts where folder.installation(of: host).exists {
                group.addTask { try await down(host) }
            }
            try await group.waitForAll()
        }
        try await Shutdown(folder: folder.servers).stopOrphans()
        guard let network = cluster.network else { return }
        let run = try ClusterRun(folder)
        for host in Cluster.databaseHosts {
            let start = ContinuousClock.now
            let server = try run.postgres(of: host, isReachable: false)
            guard server.isRunning else { continue }
            try await server.stop()
            Console.done("postgres \(host)", "stopped", since: start)
        }
        try await network.remove()
        cluster.network = nil
        try folder.save(cluster)
    }

    /// Only signals are sent, for which the command need not be in the host's namespace.
    private func down(_ host: Int) async throws {
        let start = ContinuousClock.now
        let words = ["\(Executables.folder)/stack", "down", "--local", folder.installation(of: host).path]
        let (succeeded, output) = try await SystemCommand.attempt(words)
        guard succeeded else { throw StackError("host \(host) could not be stopped: \(output)") }
        Console.done("host \(host)", "stopped", since: start)
    }
}
