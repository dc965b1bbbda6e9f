import FoundationEssentials
import Glibc
import PostgresServer
import StackKit

/// A running cluster: what a command does with its hosts and servers.
struct ClusterRun: Sendable {
    let folder: ClusterFolder
    var cluster: Cluster
    let network: ClusterNetwork

    init(_ folder: ClusterFolder) throws {
        self.folder = folder
        (cluster, network) = try folder.running
    }

    /// - Throws: `StackError` if there is no such host.
    func require(_ host: Int) throws {
        guard cluster.hosts.contains(host) else {
            throw StackError("there is no host \(host); there are hosts 1 to \(cluster.size)")
        }
    }

    /// - Throws: `StackError` that says what to do if this machine or user cannot run a cluster.
    static func requireTools() async throws {
        guard geteuid() == 0 else { throw StackError("network namespaces need root: sudo stack cluster up") }
        for (program, package) in [("ip", "iproute2"), ("unshare", "util-linux"), ("nats-server", "nats-server")]
        where Executables.find(program) == nil {
            throw StackError("\(program) is not installed: apt-get install \(package)")
        }
        guard try await SystemCommand.attempt(["unshare", "--net", "--mount", "true"]).succeeded else {
            throw StackError(
                "this machine permits no network namespaces; in a container, start that with --privileged"
            )
        }
    }

    /// Runs an ordinary `stack` command on a host's installation.
    func stack(_ verb: String, _ words: String..., on host: Int) async throws -> (succeeded: Bool, output: String) {
        try await SystemCommand.attempt(
            network.prefix(of: host) + ["\(Executables.folder)/stack", verb]
                + ["--local", folder.installation(of: host).path] + words,
            environment: environment(of: host)
        )
    }
}
