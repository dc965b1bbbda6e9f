import AppClients
import ArgumentParser
import StackKit
import Values

/// `stack cluster up`: builds the network and starts what does not run.
struct ClusterUp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Starts the hosts, or what has died of them, and prints their addresses.",
        discussion: """
            The addresses, 10.213.N.1 and so on, can be reached from this machine only. Several clusters may run at once,
            each in a folder of its own (--cluster). Variables of the environment reach the programs of all hosts, as with
            stack up. If something does not start the first time, all is stopped again.
            """
    )

    @OptionGroup var options: ClusterOptions
    @Option(help: "The number of hosts, from 2 to 9; 3, or as many as before.") var hosts: Int?

    func validate() throws {
        guard hosts.map((2...9).contains) != false else { throw ValidationError("--hosts takes a number from 2 to 9") }
    }

    func run() async throws {
        let began = ContinuousClock.now
        try await ClusterRun.requireTools()
        let folder = options.folder
        try folder.servers.prepare()
        let lock = try await SingleRun.take(folder.servers)
        defer { lock.release() }
        let wasUp = try folder.cluster?.network != nil
        do {
            try await untilInterrupted { _ = try await ClusterStart(folder: folder).up(size: hosts) }
        } catch {
            if !wasUp { try await ClusterStart(folder: folder).down() }
            throw error
        }
        let run = try ClusterRun(folder)
        let seconds = Figure.text((ContinuousClock.now - began) / .seconds(1))
        let gateways = run.cluster.hosts.map { "  http://\(run.network.address(of: $0)):8080" }
        Console.line(
            """

            The cluster is up (\(seconds) s). Its gateways:

            \(gateways.joined(separator: "\n"))

            A first request, the sign-in of the real-estate app, by the last one:

              curl \(gateways.last?.dropFirst(2) ?? "")/v1/users/login \\
                -H 'SeSACKey: \(AppKey.anlaka)' -H 'Content-Type: application/json' \\
                -d '{"email":"\(Seed.account.email)","password":"\(Seed.account.password)"}'

            Then: stack cluster status · stack cluster link 1 2 --cut · stack cluster down
            """
        )
    }
}
