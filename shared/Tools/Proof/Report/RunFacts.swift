import Contracts
package import FoundationEssentials
package import StackKit

/// What a report says about how it was made.
package struct RunFacts: Sendable, Equatable {
    package var version: String
    /// Of the checkout that the program was built in; nil for a program elsewhere.
    package var commit: String?
    package var machine: Machine
    package var begun: Date
    /// The words of the command line.
    package var command: [String]

    package init(version: String, commit: String?, machine: Machine, begun: Date, command: [String]) {
        (self.version, self.commit, self.machine) = (version, commit, machine)
        (self.begun, self.command) = (begun, command)
    }

    /// Those of this process.
    package static func current() async -> RunFacts {
        var command = CommandLine.arguments
        if let path = command.first { command[0] = path.split(separator: "/").last.map(String.init) ?? path }
        return RunFacts(
            version: ProductVersion.current,
            commit: await Checkout.commit(),
            machine: .current,
            begun: .now,
            command: command
        )
    }

    /// Names and values.
    func rows(seed: UInt64) -> [(name: String, value: String)] {
        [
            ("Seed", "\(seed)"), ("Version", "Madang \(version)" + (commit.map { ", commit \($0)" } ?? "")),
            ("Machine", machine.description), ("Begun", begun.formatted(.iso8601)),
            ("Command", command.joined(separator: " ")),
        ]
    }
}
