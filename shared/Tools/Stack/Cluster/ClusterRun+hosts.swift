import Glibc
import PostgresServer
import StackKit

/// The installations of the hosts.
extension ClusterRun {
    /// What distinguishes a host's installation from one that is alone on its machine.
    func environment(of host: Int) throws -> [String: String] {
        let others = cluster.hosts.filter { $0 != host }
        let sandbox = "http://\(network.address(of: 1)):8090"
        let announcers = ([host] + others).map { "\(network.address(of: $0)):\(Cluster.announcerPort)" }
        var own = [
            "DATABASE_ADMIN_URL": try administrator.text,
            "ANNOUNCER_URL":
                "nats://madang:\(cluster.secret)@\(announcers.joined(separator: ","))?cluster=\(network.bridge)",
            "SERVICES_ADDRESS": "0.0.0.0", "GATEWAY_ADDRESS": "0.0.0.0", "SANDBOX_ADDRESS": "0.0.0.0",
            "PEER_HOSTS": others.map(network.address).joined(separator: ","),
            "FILES_DIR": folder.files,
            "PUBLIC_URL": "http://\(network.address(of: host)):8080",
            // A browser on the machine loads it.
            "PORTONE_SCRIPT_URL": "\(sandbox)/portone/v1/iamport.js",
        ]
        // What the sandbox keeps is in its memory, so that the cluster has one.
        own["SANDBOX_URL"] = host == 1 ? "" : sandbox
        return own
    }

    /// Starts the installations that do not run, all at once.
    func startHosts() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for host in cluster.hosts { group.addTask { try await start(host) } }
            for try await _ in group {}
        }
        let began = ContinuousClock.now
        let (succeeded, output) = try await stack("seed", on: 1)
        guard succeeded else { throw StackError("host 1 could not be seeded. \(Self.last(output))") }
        Console.done("seed", "by host 1", since: began)
    }

    private func start(_ host: Int) async throws {
        let start = ContinuousClock.now
        Console.progress("host \(host)", "starts at \(network.address(of: host))")
        let (succeeded, output) = try await stack("up", "--no-seed", on: host)
        guard succeeded else { throw StackError("host \(host) could not be started. \(Self.last(output))") }
        Console.done("host \(host)", network.address(of: host), since: start)
    }

    private static func last(_ output: String) -> String {
        "Its last output:\n" + output.split(separator: "\n").suffix(8).joined(separator: "\n")
    }

    /// Ends a program of a host as `kill -9` does.
    func kill(_ name: String, on host: Int) async throws {
        switch name {
        case "postgres":
            try await postgres(of: host).kill()
        case "nats":
            folder.servers.pidFile(of: folder.announcer(of: host)).process?.send(SIGKILL)
        default:
            let installation = folder.installation(of: host)
            guard let process = installation.pidFile(of: name).process else {
                let known =
                    KernelFile.names("\(installation.path)/run").filter { $0.hasSuffix(".pid") }
                    .map { String($0.dropLast(4)) }.sorted() + ["nats", "postgres"]
                throw StackError("\(name) does not run on host \(host); there are \(known.joined(separator: ", "))")
            }
            process.send(SIGKILL)
        }
    }

    /// Ends all of a host at once, as the loss of its power does.
    func kill(_ host: Int) async throws {
        let installation = folder.installation(of: host)
        // The supervisor first, or it starts again what ends.
        installation.pidFile(of: Supervisor.name).process?.send(SIGKILL)
        for process in installation.processes { process.send(SIGKILL) }
        try await kill("nats", on: host)
        if Cluster.databaseHosts.contains(host) { try await kill("postgres", on: host) }
    }
}
