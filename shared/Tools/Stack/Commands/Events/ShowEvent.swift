import ArgumentParser
import Contracts
import StackKit

/// `stack events show auth 4711`: one event with its body.
struct ShowEvent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows an event with its body, and which services have not applied it.",
        discussion: """
            The body may contain personal data. Events are kept for a week after their delivery.
            Example:
              stack events show auth 4711
            """
    )

    @OptionGroup var options: StackOptions

    @Argument(help: "The publisher.")
    var service: ServiceName

    @Argument(help: "The number of the event, from `stack events list`.")
    var event: Int64

    func run() async throws {
        let answer = try await options.internalCalls.get(service, OutboxAPI.StoredEvent.path(event))
        guard let stored = answer.value(as: OutboxAPI.StoredEvent.self) else {
            throw StackError("\(service.rawValue) refuses: \(answer.message)")
        }
        if stored.entries.isEmpty {
            Console.line("event \(event) was delivered")
        } else {
            EventTable.lines(stored.entries.map { EventTable.row(service, $0) }).forEach(Console.line)
        }
        Console.line(stored.body)
    }
}
