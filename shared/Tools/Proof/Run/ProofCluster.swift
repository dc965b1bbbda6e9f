import FoundationEssentials
import PostgresServer
import StackKit

/// Several hosts of a run, as network namespaces of this machine (`stack cluster`).
package struct ProofCluster: ProofSystem {
    private let folder: ClusterFolder
    /// The path of `stack`.
    private let stack: String
    private let size: Int

    /// - Parameters:
    ///   - path: A folder that does not exist yet.
    ///   - stack: The path of `stack`.
    ///   - size: The number of hosts, from 2 to 9.
    package init(path: String, stack: String, size: Int) {
        (folder, self.stack, self.size) = (ClusterFolder(path: path), stack, size)
    }

    private var cluster: StackCommand {
        StackCommand(
            prefix: [stack, "cluster"],
            suffix: ["--cluster", folder.path],
            folder: folder.servers,
            environment: ProofStack.settings
        )
    }

    package var path: String { folder.path }
    package var sentence: String { "\(size) hosts" }
    package var gateways: [String] {
        get throws {
            let network = try folder.running.network
            return try (1...size).map { host in
                let gateway = try Programs(environment: folder.installation(of: host).savedPorts).gateway
                return "http://\(network.address(of: host)):\(gateway.port.number)"
            }
        }
    }
    package var auths: [String] {
        get throws {
            let network = try folder.running.network
            return try (1...size).map { host in
                let installation = folder.installation(of: host)
                let auth = try Programs(environment: installation.savedPorts).served(in: installation).auth
                return "http://\(network.address(of: host)):\(auth.port.number)"
            }
        }
    }
    package var sandbox: String {
        get throws {
            let sandbox = try Programs(environment: folder.installation(of: 1).savedPorts).sandbox
            return "http://\(try folder.running.network.address(of: 1)):\(sandbox.port.number)"
        }
    }
    package var databaseURL: String {
        get throws {
            let (cluster, network) = try folder.running
            let server = try PostgresServer(directory: folder.postgres(of: cluster.primary))
            return try cluster.administrator(network, password: server.password).text
        }
    }
    package var faulty: any FaultySystem {
        get throws { try FaultyCluster(folder, stack: stack, environment: ProofStack.settings) }
    }

    package func up() async throws { try await cluster.run(["up", "--hosts", "\(size)"]) }

    package func remove() async {
        try? await cluster.run(["down"])
        try? FileManager.default.removeItem(atPath: folder.path)
    }

    package func comparePayments() async {
        let words = [stack, "cluster", "exec", "1", "--cluster", folder.path, "--", "stack"]
        try? await StackCommand(prefix: words, folder: folder.installation(of: 1)).run(["compare"])
    }

    package func requireHealth() async throws { try await cluster.run(["status"]) }
}
