import Glibc
import Subprocess
import SystemPackage

/// Recovery of a cluster from a base backup and its write-ahead log (PostgreSQL manual, "Continuous Archiving and
/// Point-in-Time Recovery").
extension PostgresServer {
    /// The superuser's password, which the cluster has as a hash only; nil before there is one.
    package var password: String? { Files.text(at: "\(directory)/password") }

    /// Whether the directory has a cluster.
    package var hasCluster: Bool { Files.exists("\(dataDirectory)/PG_VERSION") }

    /// A server beside this one, in `DIRECTORY.restoring`, that replays the write-ahead log and then accepts writes.
    ///
    /// - Parameter target: The last moment to restore, as PostgreSQL parses it; nil for all of the log.
    package func restoring(to target: String?) throws(PostgresServerError) -> PostgresServer {
        var settings = [
            // The log is in `pg_wal` already; an archive that has nothing makes the server look there.
            "restore_command": "false",
            "recovery_target_action": "promote", "recovery_target_timeline": "latest", "hot_standby": "off",
        ]
        settings["recovery_target_time"] = target
        return try PostgresServer(directory: "\(directory).restoring", settings: settings)
    }

    /// Unpacks a base backup, a compressed tar file, into the directory, which is emptied before.
    ///
    /// - Parameters:
    ///   - password: The superuser's, for the server's file.
    ///   - pieces: Calls its argument with each piece of the tar file, in order.
    package func unpack(
        password: String,
        _ pieces: ((_ piece: [UInt8]) async throws -> Void) async throws -> Void
    ) async throws {
        try await remove()
        try Files.makeDirectory(directory, owner: account)
        try Files.write(password, to: "\(directory)/password", owner: account)
        try Files.makeDirectory(dataDirectory, owner: account)
        let line = command.line("tar", ["--extract", "--gzip", "--file=-", "--directory=\(dataDirectory)"])
        let result = try await Subprocess.run(
            line.executable,
            arguments: line.arguments,
            environment: command.environment,
            workingDirectory: "/",
            input: .inputWriter,
            output: .string(limit: 65536),
            error: .combinedWithOutput
        ) { tar in
            try await pieces { piece in _ = try await tar.standardInputWriter.write(piece) }
            try await tar.standardInputWriter.finish()
        }
        guard result.terminationStatus.isSuccess else {
            throw Diagnosis.error(of: result.standardOutput, doing: "unpack a base backup", in: directory)
        }
        let (succeeded, output) = try await command.run("pg_verifybackup", ["--no-parse-wal", dataDirectory])
        guard succeeded else { throw Diagnosis.error(of: output, doing: "verify the base backup", in: directory) }
    }

    /// Whether the write-ahead log of the cluster has a file.
    package func hasLog(_ name: String) -> Bool { Files.exists("\(dataDirectory)/pg_wal/\(name)") }

    /// Writes a file of the write-ahead log, to be replayed.
    package func put(log name: String, _ bytes: [UInt8]) throws(PostgresServerError) {
        try Files.write(bytes, to: "\(dataDirectory)/pg_wal/\(name)", owner: account)
    }

    /// Replays the write-ahead log until the target, and stops the server. It ends with this process at the latest.
    ///
    /// - Parameter report: Is called about once a second with the last line of the server's log.
    package func recover(report: (_ line: String) -> Void) async throws {
        try Files.write([], to: "\(dataDirectory)/recovery.signal", owner: account)
        try await start(detached: false, timeout: .seconds(3600))
        while Postmaster(dataDirectory: dataDirectory)?.isReady != true {
            guard isRunning else {
                let text = Files.text(at: log) ?? ""
                throw Diagnosis.error(of: text, doing: "replay the write-ahead log", in: directory)
            }
            try await Task.sleep(for: .milliseconds(100))
            report(Files.text(at: log)?.split(separator: "\n").last.map(String.init) ?? "")
        }
        try await stop()
    }

    /// Moves the cluster of this directory aside, if there is one, and takes that of another directory.
    ///
    /// - Returns: The directory of the former cluster; nil if there was none.
    package func replace(with other: PostgresServer, at time: String) throws(PostgresServerError) -> String? {
        var former: String?
        if Files.exists(directory) {
            let aside = "\(directory).before-\(time)"
            guard rename(directory, aside) == 0 else { throw Files.failure("move", directory) }
            former = aside
        }
        guard rename(other.directory, directory) == 0 else { throw Files.failure("move", other.directory) }
        return former
    }

    /// Deletes the directory of this server, which does not run.
    package func remove() async throws {
        // Not under the server's account, which may not change the folder that has the directory.
        _ = try await Subprocess.run(.name("rm"), arguments: ["-rf", directory], output: .discarded)
    }
}
