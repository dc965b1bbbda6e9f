import StackKit
import Subprocess
import SystemPackage

/// A program that runs during a measurement.
enum BenchProgram {
    /// Runs a program until the task is cancelled, then stops it by SIGTERM, and by SIGKILL after a while.
    ///
    /// - Parameters:
    ///   - isKilled: Whether it is killed immediately (`kill -9`).
    ///   - grace: The time until SIGKILL.
    /// - Returns: nil.
    /// - Throws: `StackError` with its last output if it exits by itself.
    static func run<Value>(
        _ program: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        isKilled: Bool = false,
        grace: Duration = .seconds(3)
    ) async throws -> Value? {
        var options = PlatformOptions()
        options.teardownSequence = isKilled ? [] : [.gracefulShutDown(allowedDurationToNextStep: grace)]
        // No console runs, and nothing is traced but what a suite measures.
        let environment = environment.merging(["CONSOLE_URL": ""]) { own, _ in own }
        let variables = environment.map { (Environment.Key(stringLiteral: $0.key), String?.some($0.value)) }
        let result = try await Subprocess.run(
            program.hasPrefix("/") ? .path(FilePath(program)) : .path(FilePath(Executables.find(program) ?? program)),
            arguments: Arguments(arguments),
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: variables)),
            platformOptions: options,
            output: .string(limit: 1 << 20),
            error: .combinedWithOutput
        )
        if !Task.isCancelled { throw StackError("\(program) ended: \(result.standardOutput.suffix(500))") }
        return nil
    }
}
