import ArgumentParser
import StackKit

/// `stack seed`: creates the initial data of a development installation.
struct SeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Plants the small world that a development house begins with; again, it changes nothing.",
        discussion: "`up` does this by itself. The house has to be up."
    )

    @OptionGroup var yard: StackOptions

    func run() async throws {
        try await Seed(fleet: yard.fleet(), environment: yard.environment).plant()
    }
}
