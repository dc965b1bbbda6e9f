import ArgumentParser
import FoundationEssentials
import StackKit

/// `stack bench sql`: the program `bench` beside this one, with the same arguments.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures Madang beside its yardsticks, and compares two such runs.",
        discussion: """
            Becomes the program `bench` of the same folder, which takes the arguments; `stack bench --help` lists its suites.
            Examples:
              stack bench sql gateway --save after.json
              stack bench --compare before.json after.json
            """
    )

    @Argument(parsing: .captureForPassthrough, help: "What `bench` takes.")
    var words: [String] = []

    func run() async throws {
        let program = "\(Executables.folder)/bench"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw StackError("\(program) is not built; run `.ci/swift build --product bench`, or `make bench`")
        }
        try ReplacedProcess.run([program] + words)
    }
}
