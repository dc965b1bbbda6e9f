/// Hosts on one Linux machine: network namespaces in each of which an installation runs (`stack cluster`).
package struct Cluster: Codable, Sendable, Equatable {
    /// The number of hosts, from 2 to 9; the first one is host 1.
    package var size: Int
    /// The password of the servers of NATS.
    package var secret: String
    /// The host with the primary of PostgreSQL, 1 or 2; the other one has the standby.
    package var primary = 1
    /// nil while the cluster is down.
    package var network: ClusterNetwork?

    package init(size: Int, secret: String) {
        (self.size, self.secret) = (size, secret)
    }

    package var hosts: ClosedRange<Int> { 1...size }
    /// The hosts with a server of PostgreSQL.
    package static let databaseHosts = 1...2
    package var standby: Int { 3 - primary }

    /// Ports of the servers that are not Madang's, in each namespace.
    package static let databasePort = 5432
    package static let announcerPort = 4222
    package static let announcerMonitorPort = 8222
    package static let announcerRoutePort = 6222

    /// The URL of both servers of PostgreSQL as their superuser, the primary's first.
    ///
    /// - Parameter password: The primary's, which the standby has, too.
    package func administrator(_ network: ClusterNetwork, password: String?) throws -> ServerURL {
        var url = try ServerURL("postgres://postgres@\(network.address(of: primary))")
        url.password = password
        url.servers = [primary, standby].map { host in
            ServerURL.Server(host: network.address(of: host), port: String(Self.databasePort))
        }
        return url
    }
}
