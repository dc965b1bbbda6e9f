import ArgumentParser
import StackKit

/// `stack supervise`: the process that `up` leaves behind.
struct SuperviseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "supervise",
        abstract: "Starts programs again that have died, until it is stopped.",
        shouldDisplay: false
    )

    @OptionGroup var options: StackOptions

    func run() async throws {
        let supervisor = Supervisor(startup: try options.startup())
        do {
            try await untilInterrupted { try await supervisor.run() }
        } catch let end as Interruption {
            Console.line("the supervision ends: \(end.signal)")
        }
    }
}
