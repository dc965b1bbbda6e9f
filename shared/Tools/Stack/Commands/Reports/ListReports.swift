import ArgumentParser
import Contracts
import StackKit

/// `stack reports list`: the hidden content with its reports.
struct ListReports: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists hidden content that waits for a decision, longest first, with the reasons of its reports."
    )

    @OptionGroup var options: StackOptions

    func run() async throws {
        let answer = try await options.internalCalls.get(.community, ReportsAPI.path)
        guard let waiting = answer.value(as: ReportsAPI.Waiting.self) else {
            throw StackError("the reports cannot be listed: \(answer.message)")
        }
        if waiting.items.isEmpty { Console.line("nothing waits for a decision") }
        for item in waiting.items {
            Console.line("\(item.kind) \(item.id)  hidden \(item.hiddenAt), by account \(item.author)")
            for line in item.text.split(separator: "\n") { Console.line("    \(line.printable)") }
            for report in item.reports {
                let note = report.counts ? "" : " (does not count)"
                Console.line("  account \(report.account)\(note): \(report.reason.printable)")
            }
        }
    }
}

extension StringProtocol {
    /// The text without control characters, which could move the terminal's cursor.
    fileprivate var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
