import ArgumentParser
import StackKit

/// `stack ready URL`: the health check of containers, whose image has no other HTTP client.
struct ReadyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ready",
        abstract: "Exits with 0 if the address answers 200 within two seconds.",
        shouldDisplay: false
    )

    @Argument(help: "As in http://127.0.0.1:8081/readyz")
    var url: String

    func run() async throws {
        guard await Health.isReady(url) else { throw ExitCode.failure }
    }
}
