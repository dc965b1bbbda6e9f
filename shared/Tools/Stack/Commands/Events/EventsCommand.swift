import ArgumentParser
import Contracts
import FoundationEssentials
import StackKit

/// `stack events`: the events that wait between services.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Shows the events that wait between services, and lets an operator intervene.",
        discussion: """
            A service keeps an event until each subscriber has applied it. A subscriber that is away, overloaded or older
            than the publisher is tried again without end, and later events of the same key wait; no command is needed.
            Only an event that its subscriber calls malformed for a day is parked, and later ones go on without it: after
            the subscriber is corrected, retry it; if its effect was made by hand, drop it.
            Examples:
              stack events list
              stack events list --service auth --subscriber chat --parked
              stack events show auth 4711
              stack events retry auth 4711
              stack events retry auth --parked --subscriber chat
              stack events drop auth 4711 --subscriber chat --reason "corrected by hand, ticket 17"
              stack events replay --subscriber chat --since 2026-11-25T12:00:00+09:00
            """,
        subcommands: [ListEvents.self, ShowEvent.self, RetryEvents.self, DropEvent.self, ReplayEvents.self]
    )
}

/// The publisher of an event, as an argument or option.
extension ServiceName: ExpressibleByArgument {}

/// The options of commands that change deliveries.
struct InterventionOptions: ParsableArguments {
    @Option(help: "Only the delivery to this service; all without it.")
    var subscriber: ServiceName?

    @Option(name: .customLong("by"), help: "The operator's name for the log; the user of this machine without it.")
    var operatorName: String?

    /// Posts an intervention, and prints the number of affected deliveries after a word.
    func post(_ path: String, to service: ServiceName, reason: String? = nil, _ options: StackOptions, _ done: String)
        async throws
    {
        let body = OutboxAPI.Intervention(
            subscriber: subscriber?.rawValue,
            by: operatorName ?? options.environment["USER"] ?? "stack",
            reason: reason
        )
        let answer = try await options.internalCalls.post(service, path, [UInt8](JSONEncoder().encode(body)))
        guard let outcome = answer.value(as: OutboxAPI.Outcome.self) else {
            throw StackError("\(service.rawValue) refuses: \(answer.message)")
        }
        Console.line("\(outcome.deliveries) \(outcome.deliveries == 1 ? "delivery" : "deliveries") \(done)")
    }
}
