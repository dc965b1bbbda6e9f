import FoundationEssentials
import Subprocess
import SystemPackage
import Testing

@testable import Stack
@testable import StackKit

@Suite struct BenchCommandTests {
    /// Where only the programs of the stack are built, the sentence says how to build `bench`.
    @Test func argumentsGoToTheProgramBench() async throws {
        let result = try await Subprocess.run(
            .path(FilePath("\(Executables.folder)/stack")),
            arguments: ["bench", "--compare", "/nowhere/before.json", "/nowhere/after.json"],
            output: .string(limit: 1 << 16),
            error: .combinedWithOutput
        )
        let isBuilt = FileManager.default.isExecutableFile(atPath: "\(Executables.folder)/bench")
        let sentence = isBuilt ? "/nowhere/before.json cannot be read" : "is not built; run"
        #expect(!result.terminationStatus.isSuccess && result.standardOutput.contains(sentence))
    }

    @Test func programThatIsNotThere_isNamed() {
        #expect(throws: StackError("/nowhere/bench cannot be started: No such file or directory")) {
            try ReplacedProcess.run(["/nowhere/bench"])
        }
    }
}
