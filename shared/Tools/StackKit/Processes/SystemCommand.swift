import Subprocess
import SystemPackage

/// Runs programs of the system, such as `ip`, to completion.
package enum SystemCommand {
    /// - Parameters:
    ///   - words: The path of a program, or its name, and its arguments.
    ///   - environment: Added to that of this process.
    /// - Returns: Whether it succeeded, and its output with errors, at most 1 MB.
    package static func attempt(
        _ words: [String],
        environment: [String: String] = [:]
    ) async throws -> (succeeded: Bool, output: String) {
        let variables = environment.map { (Environment.Key(stringLiteral: $0.key), String?.some($0.value)) }
        var options = PlatformOptions()
        // A command that starts something removes it when it is interrupted.
        options.teardownSequence = [.send(signal: .interrupt, allowedDurationToNextStep: .seconds(60))]
        let program = words.first ?? ""
        let result = try await Subprocess.run(
            .path(FilePath(program.hasPrefix("/") ? program : Executables.find(program) ?? program)),
            arguments: Arguments(Array(words.dropFirst())),
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: variables)),
            platformOptions: options,
            output: .string(limit: 1 << 20),
            error: .combinedWithOutput
        )
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    /// - Throws: `StackError` with the last line of its output if it does not succeed.
    @discardableResult
    package static func run(_ words: String..., environment: [String: String] = [:]) async throws -> String {
        try await run(words, environment: environment)
    }

    @discardableResult
    package static func run(_ words: [String], environment: [String: String] = [:]) async throws -> String {
        let (succeeded, output) = try await attempt(words, environment: environment)
        guard succeeded else {
            let reason = output.split(separator: "\n").last.map(String.init) ?? "it printed nothing"
            throw StackError("`\(words.joined(separator: " "))` failed: \(reason)")
        }
        return output
    }
}
