import ArgumentParser
import Contracts
import StackKit

/// `stack events retry auth 4711`: delivers an event now.
struct RetryEvents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Tries an event again now, or all parked events of a publisher.",
        discussion: """
            A parked event waits again, and has another day. Later events of its key may have been applied before it.
            Examples:
              stack events retry auth 4711
              stack events retry auth --parked --subscriber chat
            """
    )

    @OptionGroup var options: StackOptions
    @OptionGroup var intervention: InterventionOptions

    @Argument(help: "The publisher.")
    var service: ServiceName

    @Argument(help: "The number of the event, from `stack events list`.")
    var event: Int64?

    @Flag(help: "All parked events.")
    var parked = false

    func validate() throws {
        guard (event != nil) != parked else {
            throw ValidationError("name an event by its number, or --parked for all parked ones")
        }
    }

    func run() async throws {
        let path = event.map(OutboxAPI.Intervention.retryPath) ?? OutboxAPI.Intervention.retryParkedPath
        try await intervention.post(path, to: service, options, "will be tried again now")
    }
}
