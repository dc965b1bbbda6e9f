import ArgumentParser
import StackKit

/// `stack cluster down`: ends all processes and removes the network.
struct ClusterDown: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Stops all hosts and removes their network, also after a crash of any of it. The data stays.",
        discussion:
            "A command that is still starting something is interrupted. To delete the data as well: rm -r .cluster"
    )

    @OptionGroup var options: ClusterOptions

    func run() async throws {
        let folder = options.folder
        guard folder.servers.exists else { return Console.line("No cluster runs here.") }
        let lock = try await SingleRun.takeOver(folder.servers)
        defer { lock.release() }
        try await ClusterStart(folder: folder).down()
        Console.line("The cluster is down.")
    }
}
