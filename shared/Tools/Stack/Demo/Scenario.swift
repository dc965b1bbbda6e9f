import AppClients
import StackKit

/// A scenario of `stack demo`: what users do in one app, and what their apps send and receive.
struct Scenario: Sendable {
    /// The name on the command line: the app.
    var name: String
    var title: String
    var play: @Sendable (Programs) async throws -> Void

    /// The scenarios in the order of playing.
    static let all = [seatcatcher, moup, anlaka, culture, withsuhyeon]
}

extension Programs {
    /// The users' actions outside of the apps, which the demo prints.
    var outside: SandboxClient { SandboxClient(sandboxURL, observer: Transcript.print) }

    /// The same, unprinted.
    var unobservedSandbox: SandboxClient { SandboxClient(sandboxURL) }
}

extension AppClient {
    /// Prints what the user does next.
    @discardableResult
    func step(_ text: String) -> Self {
        Console.line("\n  \(connection.name.isEmpty ? "" : "\(connection.name): ")\(text)")
        return self
    }
}
