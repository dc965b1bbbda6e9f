import PostgresServer
import StackKit

/// The rows of `stack cluster status`.
extension ClusterRun {
    /// Host, address, program, process, port, health and restarts of each program.
    func programs() async throws -> [[String]] {
        let tables = try await withThrowingTaskGroup(of: (Int, [[String]]).self) { group in
            for host in cluster.hosts { group.addTask { (host, try await programs(of: host)) } }
            var tables: [Int: [[String]]] = [:]
            for try await (host, rows) in group { tables[host] = rows }
            return tables
        }
        return cluster.hosts.flatMap { tables[$0] ?? [] }
    }

    private func programs(of host: Int) async throws -> [[String]] {
        let output = try await stack("status", "--tabs", on: host).output
        let rows = output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        let programs = rows.filter { $0.count == 6 }.dropFirst()
        guard !programs.isEmpty else { throw StackError("host \(host) has no status: \(output)") }
        return programs.map { ["\(host)", network.address(of: host)] + $0[0...3] + [$0[5]] }
    }

    /// Host, server, process, health, and role with lag of each PostgreSQL.
    func databases() async throws -> [[String]] {
        var rows: [[String]] = []
        for host in Cluster.databaseHosts {
            let process = try postgres(of: host).processID
            let role = process == nil ? nil : try await role(of: host)
            let health = process == nil ? "not running" : role == nil ? "not ready" : "ready"
            rows.append(["\(host)", "postgres", process.map { "\($0)" } ?? "-", health, role ?? ""])
        }
        return rows
    }

    /// Host, server, process, health, and routes of each NATS.
    func announcers() async -> [[String]] {
        var rows: [[String]] = []
        for host in cluster.hosts {
            let process = folder.servers.pidFile(of: folder.announcer(of: host)).process?.pid
            let routes = process == nil ? nil : await routes(of: host)
            let health = process == nil ? "not running" : routes == nil ? "not ready" : "ready"
            let detail = routes.map { "\($0) of \(cluster.size - 1) routes" } ?? ""
            rows.append(["\(host)", "nats", process.map { "\($0)" } ?? "-", health, detail])
        }
        return rows
    }

    private static let roleQuery = """
        SELECT CASE WHEN pg_is_in_recovery()
        THEN 'standby' || CASE WHEN EXISTS (SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming')
            THEN '' ELSE ', not connected' END
        ELSE 'primary, ' || coalesce(
            (SELECT 'the standby lags ' || pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))
            FROM pg_stat_replication WHERE application_name LIKE 'host-%' LIMIT 1), 'without a standby')
        END
        """

    private func role(of host: Int) async throws -> String? {
        try await answer(of: host, to: Self.roleQuery)
    }

    /// The first line of what the superuser's statement returns; nil if the server does not answer.
    func answer(of host: Int, to statement: String) async throws -> String? {
        let server = try postgres(of: host)
        let address = "host=\(network.address(of: host)) port=\(Cluster.databasePort) user=postgres dbname=postgres"
        let words = ["\(server.binaries)/psql", "--no-psqlrc", "-At", "--dbname=\(address) connect_timeout=5"]
        let (succeeded, output) = try await SystemCommand.attempt(
            network.prefix(of: host) + words + ["--command=\(statement)"],
            environment: ["PGPASSWORD": server.password ?? ""]
        )
        return succeeded ? output.split(separator: "\n").first.map(String.init) : nil
    }
}
