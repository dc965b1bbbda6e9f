import FoundationEssentials
import StackKit

/// The servers of NATS, which are one cluster.
extension ClusterRun {
    /// Starts all servers, unless they run.
    func startAnnouncers() async throws {
        for host in cluster.hosts { try await startAnnouncer(of: host) }
    }

    /// Starts a server and waits until it accepts connections.
    func startAnnouncer(of host: Int) async throws {
        let start = ContinuousClock.now
        let name = folder.announcer(of: host)
        let file = folder.servers.pidFile(of: name)
        guard file.process == nil else { return }
        try PrivateFile.write(Data(settings(of: host).utf8), to: folder.announcerSettings(of: host))
        folder.servers.rotateLog(of: name)
        let log = LogFile(path: folder.servers.log(of: name))
        let before = log.size
        let words =
            network.prefix(of: host) + [
                Executables.find("nats-server") ?? "nats-server", "--config", folder.announcerSettings(of: host),
            ]
        let process = try DetachedProcess.start(
            words[0],
            arguments: Array(words.dropFirst()),
            environment: [LocalFolder.variable: folder.servers.path],
            log: log.path
        )
        try file.write(process)
        while await !Health.isReady("http://\(monitor(of: host))/healthz", within: .seconds(1)) {
            guard process.isAlive, ContinuousClock.now - start < .seconds(60) else {
                throw StackError("NATS on host \(host) does not start. \(log.lastOutput(since: before))")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        Console.done("nats \(host)", ":\(Cluster.announcerPort)", since: start)
    }

    func stopAnnouncer(of host: Int) async throws {
        try await Shutdown(folder: folder.servers).stop(folder.announcer(of: host))
    }

    private func monitor(of host: Int) -> String { "\(network.address(of: host)):\(Cluster.announcerMonitorPort)" }

    private func settings(of host: Int) -> String {
        let user = "madang:\(cluster.secret)"
        let routes = cluster.hosts.filter { $0 != host }.map {
            "\"nats-route://\(user)@\(network.address(of: $0)):\(Cluster.announcerRoutePort)\""
        }
        let account = "{ user: madang, password: \"\(cluster.secret)\" }"
        return """
            server_name: "host-\(host)"
            listen: "\(network.address(of: host)):\(Cluster.announcerPort)"
            http: "\(monitor(of: host))"
            authorization: \(account)
            # A cut link is noticed within seconds.
            ping_interval: "2s"
            ping_max: 2
            write_deadline: "2s"
            cluster: {
              name: "\(network.bridge)"
              listen: "\(network.address(of: host)):\(Cluster.announcerRoutePort)"
              authorization: \(account)
              routes: [\(routes.joined(separator: ", "))]
            }

            """
    }

    /// The number of other servers that a server has a connection with; nil if it does not answer.
    func routes(of host: Int) async -> Int? {
        guard let answer = await Health.answer(of: "http://\(monitor(of: host))/routez") else { return nil }
        let routes = try? JSONDecoder().decode(Routes.self, from: Data(answer))
        return routes.map { Set($0.routes?.map(\.remote) ?? []).count }
    }

    private struct Routes: Decodable {
        struct Route: Decodable {
            var remote: String

            enum CodingKeys: String, CodingKey { case remote = "remote_id" }
        }

        var routes: [Route]?
    }
}
