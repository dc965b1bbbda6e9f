import ArgumentParser
import StackKit

/// `stack cluster`: several hosts on one Linux machine.
struct ClusterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster",
        abstract: "Runs several hosts on this machine, as network namespaces, and breaks what connects them.",
        discussion: """
            Each host has a gateway and every service. Host 1 has the primary of PostgreSQL and the sandbox, host 2 the
            standby, and each a server of NATS. All know each other; any gateway answers any client.
              sudo stack cluster up
              stack cluster status                           who is where, the links, the standby's lag
              stack cluster link 1 2 --cut                   as if the cable between hosts 1 and 2 were cut
              stack cluster link 1 2 --delay 50ms --loss 1%
              stack cluster link 1 2 --restore
              stack cluster kill 3 chat                      kill -9; the supervisor starts it again
              stack cluster kill 1                           all of host 1 at once
              stack cluster promote                          then host 2's PostgreSQL accepts writes
              stack cluster restart 2 nats
              stack cluster exec 2 -- stack upgrade chat --local .cluster/2
              stack cluster down
            A host is an ordinary installation in .cluster/1, .cluster/2, …, whose logs are there as usual.
            """,
        subcommands: [
            ClusterUp.self, ClusterStatus.self, ClusterLinkCommand.self, ClusterKill.self, ClusterRestart.self,
            ClusterPromote.self, ClusterExec.self, ClusterDown.self,
        ]
    )
}

/// The option common to the commands of a cluster.
struct ClusterOptions: ParsableArguments {
    @Option(name: .customLong("cluster"), help: "The folder for the hosts and their servers.")
    var path = ".cluster"

    var folder: ClusterFolder { ClusterFolder(path: path) }

    /// The running cluster, and the lock that commands hold which start or end something of it.
    func locked() async throws -> (ClusterRun, SingleRun) {
        let run = try ClusterRun(folder)
        return (run, try await SingleRun.take(folder.servers))
    }
}
