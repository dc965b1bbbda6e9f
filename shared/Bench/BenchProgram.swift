import StackKit
import Subprocess
import SystemPackage

/// A program that runs beside a measurement.
enum BenchProgram {
    /// Runs a program until the task is cancelled; then it is asked to end, and after three seconds made to.
    ///
    /// - Parameter isKilled: whether it is not asked, but ended as by `kill -9`.
    /// - Returns: nil.
    /// - Throws: `StackError` with the last of what it printed when it ends by itself.
    static func run<Value>(
        _ program: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        isKilled: Bool = false
    ) async throws -> Value? {
        var options = PlatformOptions()
        options.teardownSequence = isKilled ? [] : [.gracefulShutDown(allowedDurationToNextStep: .seconds(3))]
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
