import FoundationEssentials
import Glibc
import PostgresServer
import TestKit

/// Two servers that Patroni keeps, one as the synchronous standby of the other, with etcd for their election.
enum Patroni {
    static let isInstalled = ["patroni", "etcd"].allSatisfy { ServerProcess.path(of: $0) != nil }

    struct Cluster {
        var servers: [PostgresServer]
        var url: String
    }

    static func with(_ body: (Cluster) async throws -> Void) async throws {
        var ports: [Int] = []
        for _ in 0..<6 { ports.append(try FreePort.find()) }
        let folder = "/tmp/patroni-\(ports[0])"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var processes: [ProgramProcess] = []
        let outcome: Result<Void, any Error>
        do {
            let etcd = "http://127.0.0.1:\(ports[0])"
            processes.append(
                try await ServerProcess.start(
                    "/usr/bin/etcd",
                    [
                        "--data-dir=\(folder)/etcd", "--listen-client-urls=\(etcd)", "--advertise-client-urls=\(etcd)",
                        "--listen-peer-urls=http://127.0.0.1:\(ports[1])", "--unsafe-no-fsync",
                    ],
                    log: "\(folder)/etcd.log"
                )
            )
            var servers: [PostgresServer] = []
            for node in 1...2 {
                let directory = "\(folder)/node\(node)"
                let settings = settings(
                    node,
                    directory: directory,
                    etcd: ports[0],
                    port: ports[2 * node],
                    restPort: ports[2 * node + 1]
                )
                try settings.write(toFile: "\(directory).yml", atomically: true, encoding: .utf8)
                processes.append(
                    try await ServerProcess.start(
                        "/usr/bin/patroni",
                        ["\(directory).yml"],
                        log: "\(directory).log"
                    )
                )
                servers.append(try PostgresServer(directory: directory))
            }
            let hosts = "127.0.0.1:\(ports[2]),127.0.0.1:\(ports[4])"
            outcome = .success(try await body(Cluster(servers: servers, url: "postgres://postgres@\(hosts)/postgres")))
        } catch {
            outcome = .failure(error)
        }
        // Patroni stops its server, too.
        for process in processes.reversed() { await process.end(SIGTERM) }
        try outcome.get()
    }

    /// The shortest times that Patroni allows; a server that has crashed is not started again but replaced.
    private static func settings(_ node: Int, directory: String, etcd: Int, port: Int, restPort: Int) -> String {
        """
        scope: madang
        name: node\(node)
        restapi: {listen: "127.0.0.1:\(restPort)", connect_address: "127.0.0.1:\(restPort)"}
        etcd3: {hosts: "127.0.0.1:\(etcd)"}
        bootstrap:
          dcs:
            ttl: 20
            loop_wait: 1
            retry_timeout: 3
            primary_start_timeout: 0
            master_start_timeout: 0
            synchronous_mode: true
            postgresql: {use_pg_rewind: false, parameters: {max_connections: 50}}
          initdb: [{encoding: UTF8}, {locale: C.UTF-8}, {auth: trust}, no-sync]
        postgresql:
          listen: "127.0.0.1:\(port)"
          connect_address: "127.0.0.1:\(port)"
          data_dir: "\(directory)/data"
          pgpass: "\(directory).pgpass"
          bin_dir: "/usr/lib/postgresql/15/bin"
          authentication: {superuser: {username: postgres}, replication: {username: postgres}}
          pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
          parameters: {fsync: "off", shared_buffers: 16MB, unix_socket_directories: "\(directory)"}
        """
    }
}
