import ArgumentParser
import StackKit

/// `stack demo [app…]`: sends real requests of each app through the gateway and prints what its user sees.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Plays one scenario per app through the gateway and prints what each app sees.",
        discussion: """
            Stops with an error at the first answer that is not what the app expects.
            Examples:
              stack demo
              stack demo seatcatcher
            """
    )

    @OptionGroup var options: StackOptions

    @Argument(help: "The apps to play; all without one.")
    var names: [String] = []

    func run() async throws {
        let programs = try options.programs()
        for name in names where !Scenario.all.contains(where: { $0.name == name }) {
            let known = Scenario.all.map(\.name).joined(separator: ", ")
            throw StackError("there is no scenario named \(name); there are \(known)")
        }
        guard await Health.isReady(programs.gateway.readyURL) else {
            throw StackError("the gateway does not answer at \(programs.gateway.readyURL); start it with `make up`")
        }
        for scenario in Scenario.all where names.isEmpty || names.contains(scenario.name) {
            Console.line("\n\(scenario.title)")
            try await scenario.play(programs)
        }
        Console.line("\nEvery answer was what the apps expect.")
    }
}
