import ArgumentParser

/// `stack reports confirm post 4711`: leaves hidden content hidden.
struct ConfirmReports: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Leaves hidden content hidden, and takes it from the list."
    )

    @OptionGroup var options: StackOptions
    @OptionGroup var content: ReportedContent

    func run() async throws {
        try await content.decide("confirm", ignoresReporters: false, options)
    }
}
