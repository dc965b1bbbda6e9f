import ArgumentParser
import StackKit

/// `stack seed`: creates the initial data of a development installation.
struct SeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Creates the initial data of a development installation; repeated, it changes nothing.",
        discussion: "`up` does this by itself. The stack must be up."
    )

    @OptionGroup var options: StackOptions

    func run() async throws {
        try await Seed(programs: options.programs(), environment: options.environment).plant()
    }
}
