import Subprocess

/// A primary and a standby that are reached from other hosts (PostgreSQL manual, "Log-Shipping Standby Servers").
extension PostgresServer {
    /// Lets all roles connect from a network with their passwords, also for replication. It takes effect at the next start.
    ///
    /// - Parameter network: Such as `10.0.0.0/24`.
    package func admit(_ network: String) throws(PostgresServerError) {
        let path = "\(dataDirectory)/pg_hba.conf"
        guard let text = Files.text(at: path), !text.contains(network) else { return }
        let lines = ["all", "replication"].map { "host \($0) all \(network) scram-sha-256\n" }.joined()
        try Files.write(text + lines, to: path, owner: account)
    }

    /// Replaces what is in the directory by a copy of a running primary, whose standby this server is when it starts.
    ///
    /// - Parameters:
    ///   - password: The superuser's.
    ///   - name: The standby's in `pg_stat_replication`.
    package func copy(from host: String, port: Int, password: String, as name: String) async throws {
        try await remove()
        try Files.makeDirectory(directory, owner: account)
        try Files.write(password, to: "\(directory)/password", owner: account)
        let (succeeded, output) = try await command.run(
            "pg_basebackup",
            [
                "--pgdata=\(dataDirectory)", "--write-recovery-conf", "--checkpoint=fast",
                "--dbname=host=\(host) port=\(port) user=postgres application_name=\(name) connect_timeout=10",
            ],
            variables: ["PGPASSWORD": password]
        )
        guard succeeded else { throw Diagnosis.error(of: output, doing: "copy the primary at \(host)", in: directory) }
    }

    /// Whether the directory has a standby of the primary at an address.
    package func isStandby(of host: String) -> Bool {
        guard Files.exists("\(dataDirectory)/standby.signal") else { return false }
        let settings = Files.text(at: "\(dataDirectory)/postgresql.auto.conf") ?? ""
        return settings.contains("host=\(host) ")
    }
}
