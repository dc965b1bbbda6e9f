import ArgumentParser
import StackKit

/// `stack down`: stops all processes.
struct DownCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Stops everything that `up` started, also what a crash left behind. The data stays.",
        discussion: """
            The gateway stops first and the database last, each after its running requests.
            An `up` that is still running is interrupted. To delete the data as well: rm -r .local
            """
    )

    @OptionGroup var options: StackOptions

    func run() async throws {
        let folder = options.folder
        guard folder.exists else { return Console.line("Nothing runs here.") }
        let lock = try await SingleRun.takeOver(folder)
        defer { lock.release() }
        let shutdown = Shutdown(folder: folder)
        try await shutdown.stop(Supervisor.name)
        try await shutdown.stop(options.programs().all)
        try await shutdown.stop(Archive.name)
        try await shutdown.stopOrphans()
        try await shutdown.stop(options.server())
        folder.removeSavedPorts()
        Console.line("Madang is down.")
    }
}
