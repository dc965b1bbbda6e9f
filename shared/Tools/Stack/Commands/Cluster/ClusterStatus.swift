import ArgumentParser
import StackKit

/// `stack cluster status`: who is where.
struct ClusterStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows what runs on which host, the servers of PostgreSQL and NATS, and the links.",
        discussion: """
            The lag is the write-ahead log that the standby has not applied. Routes are a server's connections with the
            others of NATS. Exits with 1 unless everything is healthy and no link is cut.
            """
    )

    @OptionGroup var options: ClusterOptions

    func run() async throws {
        let run = try ClusterRun(options.folder)
        let programs = try await run.programs()
        let databases = try await run.databases()
        let announcers = await run.announcers()
        Console.table([["host", "address", "program", "process", "port", "health", "restarts"]] + programs)
        Console.line()
        Console.table([["host", "server", "process", "health", ""]] + databases + announcers)
        Console.line()
        var links = [["link", "state"]]
        for link in ClusterLink.all(run.network, size: run.cluster.size) {
            links.append([link.name, "\(try await link.state)"])
        }
        Console.table(links)
        guard programs.allSatisfy({ $0[5] == "ready" }), (databases + announcers).allSatisfy({ $0[3] == "ready" }),
            links.dropFirst().allSatisfy({ !$0[1].hasPrefix("cut") })
        else { throw ExitCode.failure }
    }
}
