import FoundationEssentials

/// `.cluster/`: all files of a cluster, which stay when it is down.
package struct ClusterFolder: Sendable {
    /// An absolute path.
    package let path: String

    package init(path: String) {
        self.path = LocalFolder(path: path).path
    }

    /// The installation of a host.
    package func installation(of host: Int) -> LocalFolder { LocalFolder(path: "\(path)/\(host)") }

    /// The logs and processes of the servers of PostgreSQL and NATS.
    package var servers: LocalFolder { LocalFolder(path: "\(path)/servers") }
    package func postgres(of host: Int) -> String { "\(path)/postgres-\(host)" }
    package func announcer(of host: Int) -> String { "nats-\(host)" }
    package func announcerSettings(of host: Int) -> String { "\(path)/nats-\(host).conf" }

    /// Files that users have uploaded: the volume that all hosts share.
    package var files: String { "\(path)/files" }

    private var record: String { "\(path)/cluster.json" }

    /// The cluster; nil if there has never been one.
    package var cluster: Cluster? {
        get throws {
            guard let data = FileManager.default.contents(atPath: record) else { return nil }
            guard let cluster = try? JSONDecoder().decode(Cluster.self, from: data) else {
                throw StackError("\(record) is damaged; end its processes and remove \(path)")
            }
            return cluster
        }
    }

    package func save(_ cluster: Cluster) throws {
        try PrivateFile.write(JSONEncoder().encode(cluster), to: record)
    }

    /// The cluster and its network.
    ///
    /// - Throws: `StackError` while it is down.
    package var running: (cluster: Cluster, network: ClusterNetwork) {
        get throws {
            guard let cluster = try cluster, let network = cluster.network else {
                throw StackError("no cluster runs in \(path); start it with: stack cluster up")
            }
            return (cluster, network)
        }
    }
}
