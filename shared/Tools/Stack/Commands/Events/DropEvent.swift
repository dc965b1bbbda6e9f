import ArgumentParser
import Contracts
import StackKit

/// `stack events drop auth 4711 --reason …`: gives up a delivery.
struct DropEvent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Gives up the delivery of an event: its subscriber will never apply it.",
        discussion: """
            The service logs who dropped it and why. Later events of its key go on.
            Example:
              stack events drop auth 4711 --subscriber chat --reason "corrected by hand, ticket 17"
            """
    )

    @OptionGroup var options: StackOptions
    @OptionGroup var intervention: InterventionOptions

    @Argument(help: "The publisher.")
    var service: ServiceName

    @Argument(help: "The number of the event, from `stack events list`.")
    var event: Int64

    @Option(help: "Why, for the log.")
    var reason: String

    func validate() throws {
        guard reason.contains(where: { !$0.isWhitespace }) else { throw ValidationError("--reason must say why") }
    }

    func run() async throws {
        let path = OutboxAPI.Intervention.dropPath(event)
        try await intervention.post(path, to: service, reason: reason, options, "dropped")
    }
}
