import ArgumentParser
import Glibc
import PostgresServer
import StackKit

/// `stack cluster kill`: ends a program, or all of a host.
struct ClusterKill: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill",
        abstract: "Ends a program of a host as kill -9 does, or the whole host.",
        discussion: """
            The host's supervisor starts a program again within a second. postgres, nats and a whole host stay away until
            stack cluster restart or stack cluster up.
            """
    )

    @OptionGroup var options: ClusterOptions
    @Argument(help: "The host.") var host: Int
    @Argument(help: "A program, such as chat, gateway, nats or postgres; all of the host without one.")
    var program: String?

    func run() async throws {
        let (run, lock) = try await options.locked()
        defer { lock.release() }
        try run.require(host)
        if let program { try await run.kill(program, on: host) } else { try await run.kill(host) }
    }
}

/// `stack cluster restart`: stops a server and starts it.
struct ClusterRestart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restart",
        abstract: "Stops PostgreSQL or NATS on a host and starts it again; starts it if it does not run.",
        discussion: "A former primary becomes the standby of the present one."
    )

    enum Server: String, ExpressibleByArgument, CaseIterable {
        case postgres, nats
    }

    @OptionGroup var options: ClusterOptions
    @Argument(help: "The host.") var host: Int
    @Argument(help: "postgres or nats.") var server: Server

    func run() async throws {
        let (run, lock) = try await options.locked()
        defer { lock.release() }
        try run.require(host)
        switch server {
        case .postgres:
            guard Cluster.databaseHosts.contains(host) else {
                throw StackError("host \(host) has no PostgreSQL; hosts 1 and 2 have")
            }
            try await run.restartDatabase(of: host)
        case .nats:
            try await run.stopAnnouncer(of: host)
            try await run.startAnnouncer(of: host)
        }
    }
}

/// `stack cluster promote`: the standby becomes the primary.
struct ClusterPromote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Makes the standby of PostgreSQL the primary, when the host with the primary is lost.",
        discussion: """
            The former primary is ended if it still runs, and is the standby when it is started again, which replaces
            its data. Replication is asynchronous: commits of the last moment may be missing.
            """
    )

    @OptionGroup var options: ClusterOptions

    func run() async throws {
        var (run, lock) = try await options.locked()
        defer { lock.release() }
        try await run.promote()
    }
}

/// `stack cluster exec`: runs a command on a host.
struct ClusterExec: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Runs a command in the network of a host, with the settings of its programs.",
        discussion: """
            Examples:
              stack cluster exec 2 -- curl http://127.0.0.1:8086/readyz
              stack cluster exec 2 -- stack logs chat --follow --local .cluster/2
            """
    )

    @OptionGroup var options: ClusterOptions
    @Argument(help: "The host.") var host: Int
    @Argument(parsing: .postTerminator, help: "The command and its arguments.") var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("name a command: stack cluster exec 2 -- bash") }
    }

    func run() async throws {
        let run = try ClusterRun(options.folder)
        try run.require(host)
        for (name, value) in try run.environment(of: host) { setenv(name, value, 1) }
        var words = run.network.prefix(of: host) + command
        if command[0] == "stack" { words[words.count - command.count] = "\(Executables.folder)/stack" }
        try ReplacedProcess.run(words)
    }
}
