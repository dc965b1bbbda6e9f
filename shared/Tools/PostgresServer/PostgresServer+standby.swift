/// Streaming replication (PostgreSQL manual, "Log-Shipping Standby Servers").
extension PostgresServer {
    /// A temporary hot standby of this running server, not started yet.
    ///
    /// - Parameters:
    ///   - name: For `synchronous_standby_names` of the primary.
    package func standby(name: String, settings: [String: String] = [:]) async throws -> PostgresServer {
        let other = try Self.temporary(settings: settings)
        try Files.makeDirectory(other.directory, owner: account)
        guard let primary = Postmaster(dataDirectory: dataDirectory), let socket = primary.socketDirectory else {
            throw PostgresServerError("The PostgreSQL server in \(directory) is not running.")
        }
        let (succeeded, output) = try await command.run(
            "pg_basebackup",
            [
                "--pgdata=\(other.dataDirectory)", "--write-recovery-conf", "--checkpoint=fast", "--no-sync",
                "--dbname=host=\(socket) port=\(primary.port) user=postgres application_name=\(name)",
            ]
        )
        guard succeeded else { throw Diagnosis.error(of: output, doing: "copy \(dataDirectory)", in: other.directory) }
        try await copy("\(directory)/password", to: "\(other.directory)/password")
        return other
    }

    /// Makes a standby the primary, and waits until it accepts writes.
    package func promote() async throws {
        let (succeeded, output) = try await command.run("pg_ctl", ["promote", "-D", dataDirectory, "-w", "-t", "60"])
        guard succeeded else { throw Diagnosis.error(of: output, doing: "promote the standby", in: directory) }
    }
}
