import ArgumentParser

/// `stack reports restore post 4711`: shows hidden content again.
struct RestoreContent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Shows hidden content again; the reports that hid it no longer count."
    )

    @OptionGroup var options: StackOptions
    @OptionGroup var content: ReportedContent

    @Flag(help: "Later reports of these reporters hide nothing.")
    var ignoreReporters = false

    func run() async throws {
        try await content.decide("restore", ignoresReporters: ignoreReporters, options)
    }
}
