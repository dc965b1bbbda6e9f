import ArgumentParser
import StackKit

/// `stack reports`: decisions on content that users' reports have hidden.
struct ReportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports",
        abstract: "Lists content that users' reports have hidden, and shows it again or confirms that it stays hidden.",
        discussion: """
            Content is hidden from all but its author when enough accounts have reported it, and waits for a decision.
            Examples:
              stack reports list
              stack reports restore post 4711
              stack reports restore post 4711 --ignore-reporters
              stack reports confirm gallery-item 12
            """,
        subcommands: [ListReports.self, RestoreContent.self, ConfirmReports.self]
    )
}
