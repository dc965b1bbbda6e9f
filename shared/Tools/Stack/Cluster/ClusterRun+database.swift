import PostgresServer
import StackKit

/// The primary and the standby of PostgreSQL. Replication is asynchronous: the loss of the primary's host may lose the last
/// moment's commits, as in most installations with one standby.
extension ClusterRun {
    /// - Parameter isReachable: Whether its programs run in the namespace of the host, which may be lost.
    func postgres(of host: Int, isReachable: Bool = true) throws -> PostgresServer {
        try PostgresServer(
            directory: folder.postgres(of: host),
            port: Cluster.databasePort,
            settings: [
                "listen_addresses": network.address(of: host),
                // Each of the nine services of each host has up to 14, and few of them at once.
                "max_connections": String(100 * cluster.size),
                "wal_level": "logical",
                // What a standby may miss before it has to be copied again.
                "wal_keep_size": "1GB",
                // A cut link is noticed, and a connection is tried again, within seconds.
                "wal_sender_timeout": "5s", "wal_receiver_timeout": "5s", "wal_retrieve_retry_interval": "1s",
            ],
            prefix: isReachable ? network.prefix(of: host) : []
        )
    }

    /// The superuser's URL of both servers, the primary first.
    var administrator: ServerURL {
        get throws {
            try cluster.administrator(network, password: try postgres(of: cluster.primary).password)
        }
    }

    /// Starts both servers, unless they run.
    func startDatabase() async throws {
        for host in [cluster.primary, cluster.standby] { try await startDatabase(of: host) }
    }

    /// Starts a server. One that is not the primary and no standby of it becomes one: what it has is replaced.
    func startDatabase(of host: Int) async throws {
        let start = ContinuousClock.now
        let server = try postgres(of: host)
        guard !server.isRunning else { return }
        let isPrimary = host == cluster.primary
        if isPrimary {
            try await server.initialize()
        } else {
            let primary = network.address(of: cluster.primary)
            if !server.isStandby(of: primary) {
                guard let password = try postgres(of: cluster.primary).password else {
                    throw StackError("the primary's password is missing in \(folder.postgres(of: cluster.primary))")
                }
                let port = Cluster.databasePort
                try await server.copy(from: primary, port: port, password: password, as: "host-\(host)")
            }
        }
        try server.admit(network.range)
        try await server.start(detached: true)
        Console.done("postgres \(host)", isPrimary ? "primary" : "standby", since: start)
    }

    /// Stops a server and starts it. A checkpoint before leaves it little to write while it stops.
    func restartDatabase(of host: Int) async throws {
        _ = try await answer(of: host, to: "CHECKPOINT")
        try await postgres(of: host).stop()
        try await startDatabase(of: host)
    }

    /// Makes the standby the primary. The former one is ended before, so that it does not accept writes any more; when it is
    /// started again it is the standby.
    mutating func promote() async throws {
        let start = ContinuousClock.now
        let standby = try postgres(of: cluster.standby)
        guard standby.isRunning else {
            throw StackError("the standby on host \(cluster.standby) does not run; start it with: stack cluster up")
        }
        try await postgres(of: cluster.primary).kill()
        cluster.primary = cluster.standby
        try folder.save(cluster)
        try await standby.promote()
        Console.done("postgres \(cluster.primary)", "primary", since: start)
    }
}
