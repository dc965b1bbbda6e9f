import StackKit

/// Runs commands of `stack` on an installation.
struct StackCommand: Sendable {
    /// What comes before the verb, such as the path of `stack`.
    let prefix: [String]
    /// What comes after all other words, such as `--local` with a folder.
    let suffix: [String]
    let folder: LocalFolder
    /// Added to that of this process: what a program is started with by `stack up` it needs from `stack upgrade`, too.
    let environment: [String: String]

    init(prefix: [String], folder: LocalFolder, environment: [String: String] = [:]) {
        self.init(prefix: prefix, suffix: ["--local", folder.path], folder: folder, environment: environment)
    }

    init(prefix: [String], suffix: [String], folder: LocalFolder, environment: [String: String] = [:]) {
        (self.prefix, self.suffix, self.folder, self.environment) = (prefix, suffix, folder, environment)
    }

    /// How long a command that starts or stops something is waited for by another one.
    private static let lockTime = Duration.seconds(20)

    /// Runs a command. While another one, or the supervisor, holds the installation's lock, it is repeated.
    ///
    /// - Parameter environment: Added to the other one.
    /// - Throws: `StackError` with its error, or else the last lines of its output.
    func run(_ words: [String], environment: [String: String] = [:]) async throws {
        let start = ContinuousClock.now
        let variables = self.environment.merging(environment) { $1 }
        while true {
            let line = prefix + words + suffix
            let (succeeded, output) = try await SystemCommand.attempt(line, environment: variables)
            if succeeded { return }
            let isLocked = output.contains("another command is starting or stopping things")
            guard isLocked, ContinuousClock.now - start < Self.lockTime else {
                let lines = output.split(separator: "\n")
                // What went wrong comes first, and then what a program printed last.
                let error = lines.lastIndex { $0.hasPrefix("Error:") }.map { lines[$0...].prefix(4) }
                let reason = (error ?? lines.suffix(4)).joined(separator: " ")
                throw StackError("`stack \(words.joined(separator: " "))` failed: \(reason)")
            }
            try await Task.sleep(for: .milliseconds(300))
        }
    }
}
