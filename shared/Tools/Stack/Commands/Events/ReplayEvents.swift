import ArgumentParser
import Backups
import Contracts
import FoundationEssentials
import StackKit

/// `stack events replay --subscriber chat --since …`: delivers once more what a restored service has lost.
struct ReplayEvents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Delivers events once more to a service whose database was restored to an earlier moment.",
        discussion: """
            For services with databases of their own: `stack restore` restores all of a server to one moment, after which
            nothing has to be replayed. The service applies the events that it does not know and discards the others.
            Begin an hour before the restored moment, since events may be delivered late; they are kept for a week. Replay
            while the restored service is stopped, or else it may apply an event after a later one of the same key.
            What a publisher had published after the moment to which it was itself restored cannot be replayed: restore its
            subscribers to that moment or an earlier one.
            Examples:
              stack events replay --subscriber chat --since 2026-11-25T12:00:00+09:00
              stack events replay auth --subscriber chat --since 2026-11-25T12:00:00+09:00
            """
    )

    @OptionGroup var options: StackOptions

    @Argument(help: "The publisher; all without it.")
    var service: ServiceName?

    @Option(help: "The restored service.")
    var subscriber: ServiceName

    @Option(help: "The time of the first event, with its offset from UTC.")
    var since: String

    @Option(name: .customLong("by"), help: "The operator's name for the log; the user of this machine without it.")
    var operatorName: String?

    func validate() throws {
        guard BackupTime.date(since) == nil else { return }
        throw ValidationError("'\(since)' is no time; write it as 2026-11-25T12:34:56+09:00")
    }

    func run() async throws {
        let publishers = service.map { [$0] } ?? ServiceName.ofApps.filter { $0 != subscriber }
        for publisher in publishers {
            let deliveries = try await replay(of: publisher)
            Console.line(
                "\(publisher.rawValue): \(deliveries) \(deliveries == 1 ? "delivery" : "deliveries") made again"
            )
        }
    }

    private func replay(of publisher: ServiceName) async throws -> Int {
        let calls = try options.internalCalls
        var replay = OutboxAPI.Replay(
            subscriber: subscriber.rawValue,
            since: BackupTime.date(since)?.timeIntervalSince1970 ?? 0,
            after: 0,
            by: operatorName ?? options.environment["USER"] ?? "stack"
        )
        var (deliveries, reported) = (0, ContinuousClock.now)
        while true {
            let body = try [UInt8](JSONEncoder().encode(replay))
            let answer = try await calls.post(publisher, OutboxAPI.Replay.path, body)
            guard let page = answer.value(as: OutboxAPI.Replay.Page.self) else {
                throw StackError("\(publisher.rawValue) refuses: \(answer.message)")
            }
            deliveries += page.deliveries
            guard let last = page.last else { return deliveries }
            replay.after = last
            if ContinuousClock.now - reported > .seconds(2) {
                reported = .now
                Console.progress(publisher.rawValue, "\(deliveries) deliveries up to event \(last)")
            }
        }
    }
}
