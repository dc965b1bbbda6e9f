import ArgumentParser
import StackKit

/// `stack down`: stops all processes.
struct DownCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Stops everything that `up` started, also what a crash left behind. The data stays.",
        discussion: """
            The gateway goes first and the database last, each after the requests that it has taken.
            An `up` that is still at work is interrupted. To throw the data away as well: rm -r .local
            """
    )

    @OptionGroup var yard: StackOptions

    func run() async throws {
        let folder = yard.folder
        guard folder.exists else { return Console.line("Nothing runs here.") }
        let lock = try await SingleRun.takeOver(folder)
        defer { lock.release() }
        let shutdown = Shutdown(folder: folder)
        try await shutdown.stop(yard.fleet().members)
        try await shutdown.stopOrphans()
        try await shutdown.stop(yard.server())
        folder.forgetPorts()
        Console.line("Madang is down.")
    }
}
