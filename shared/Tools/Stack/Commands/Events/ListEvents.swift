import ArgumentParser
import Contracts
import StackKit

/// `stack events list`: a line per delivery that waits or is parked.
struct ListEvents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the events that wait or are parked, oldest first, without their bodies.",
        discussion: "Exits with 1 if a service does not answer. An event that was just published may be on its way."
    )

    @OptionGroup var options: StackOptions

    @Option(help: "The publisher; all services without it.")
    var service: ServiceName?

    @Option(help: "The service that has to apply the event; all without it.")
    var subscriber: ServiceName?

    @Flag(help: "Only parked events.")
    var parked = false

    @Option(help: "How many to list of each publisher.")
    var limit = 100

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be above 0") }
    }

    func run() async throws {
        let calls = try options.internalCalls
        var rows: [[String]] = []
        var errors: [String] = []
        for service in service.map({ [$0] }) ?? ServiceName.ofApps {
            do {
                let (entries, hasMore) = try await entries(of: service, calls)
                rows += entries.map { EventTable.row(service, $0) }
                if hasMore { errors.append("\(service.rawValue) has more than \(limit); raise --limit to see them") }
            } catch let error as StackError {
                errors.append(error.description)
            }
        }
        if rows.isEmpty, errors.isEmpty { Console.line(parked ? "no event is parked" : "no event waits") }
        if !rows.isEmpty { EventTable.lines(rows).forEach(Console.line) }
        errors.forEach(Console.line)
        if errors.contains(where: { !$0.contains("--limit") }) { throw ExitCode.failure }
    }

    private func entries(
        of service: ServiceName,
        _ calls: InternalCalls
    ) async throws -> (entries: [OutboxAPI.Entry], hasMore: Bool) {
        var entries: [OutboxAPI.Entry] = []
        while true {
            let path = OutboxAPI.Page.path(
                subscriber: subscriber?.rawValue,
                parked: parked ? true : nil,
                after: entries.last?.number ?? 0
            )
            let answer = try await calls.get(service, path)
            guard let page = answer.value(as: OutboxAPI.Page.self) else {
                throw StackError("\(service.rawValue) refuses: \(answer.message)")
            }
            entries += page.entries
            guard page.hasMore, entries.count < limit else {
                return (Array(entries.prefix(limit)), page.hasMore || entries.count > limit)
            }
        }
    }
}

/// The columns of `stack events list`.
enum EventTable {
    private static let head = ["publisher", "event", "subscriber", "name", "key", "age", "refusals", "state", "error"]

    static func row(_ publisher: ServiceName, _ entry: OutboxAPI.Entry) -> [String] {
        [
            publisher.rawValue, String(entry.number), entry.subscriber, entry.name, entry.key, age(entry.age),
            String(entry.refusals), entry.isParked ? "parked" : "waits", entry.error ?? "",
        ]
    }

    static func lines(_ rows: [[String]]) -> [String] {
        let rows = [head] + rows
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { Console.pad($0, $1) }.joined(separator: "  ")
            return String(cells.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// `45 s`, `12 min`, `7 h`, `3 d`.
    static func age(_ seconds: Double) -> String {
        switch Int(seconds) {
        case ..<120: "\(Int(seconds)) s"
        case ..<7_200: "\(Int(seconds) / 60) min"
        case ..<172_800: "\(Int(seconds) / 3_600) h"
        default: "\(Int(seconds) / 86_400) d"
        }
    }
}
