import FoundationEssentials
import Subprocess
import SystemPackage
import TestKit
import Testing

@testable import StackKit

/// Short runs of the proof: they end with 0 only if every promise was kept.
@Suite(.serialized, .timeLimit(.minutes(15))) struct ProveCommandTests {
    private func prove(_ words: [String], in folder: String) async throws -> (isSuccess: Bool, text: String) {
        let result = try await Subprocess.run(
            .path(FilePath("\(Executables.folder)/stack")),
            arguments: Arguments(["prove", "--folder", folder] + words),
            output: .string(limit: 1 << 20),
            error: .combinedWithOutput
        )
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    // A test each, so that a run that says which tests have ended says so after each.
    @Test func seed7_keepsEveryPromise_andLeavesNothing() async throws { try await keepsEveryPromise(seed: 7) }
    @Test func seed11_keepsEveryPromise_andLeavesNothing() async throws { try await keepsEveryPromise(seed: 11) }
    @Test func seed23_keepsEveryPromise_andLeavesNothing() async throws { try await keepsEveryPromise(seed: 23) }

    private func keepsEveryPromise(seed: Int) async throws {
        // A stack beside others would be measured with their load: a session ends within a second where there is time for it.
        try await StackFixture.places.withSlots(3) {
            try await TemporaryFolder.run { temporary in
                let (folder, page) = ("\(temporary.path)/proof", "\(temporary.path)/report.html")
                let words = ["--minutes", "1", "--phones", "80", "--seed", "\(seed)", "--hosts", "1", "--report", page]
                let run = try await prove(words, in: folder)
                #expect(run.isSuccess, "\(run.text)")
                #expect(run.text.contains("✓ A seat has one occupant"))
                #expect(try String(contentsOfFile: page, encoding: .utf8).contains("Every promise was kept"))
                #expect(!FileManager.default.fileExists(atPath: folder))
            }
        }
    }

    @Test func wrongOptions_areRefused_beforeAnythingStarts() async throws {
        try await TemporaryFolder.run { temporary in
            let folder = "\(temporary.path)/proof"
            #expect(try await prove(["--minutes", "0"], in: folder).text.contains("--minutes takes a number"))
            #expect(try await prove(["--phones", "1"], in: folder).text.contains("--phones takes a number"))
            #expect(try await prove(["--habits", "/nowhere"], in: folder).text.contains("/nowhere cannot be read"))
            #expect(try await prove(["--sabotage", "all"], in: folder).text.contains("no sabotage built in"))
            #expect(try await prove(["--sabotage", "x"], in: folder).text.contains("there is no defect x; there are"))
            let plan = "\(temporary.path)/plan.json"
            try #"{"version":9,"seed":1,"length":1,"faults":[]}"#.write(toFile: plan, atomically: true, encoding: .utf8)
            let other = try await prove(["--plan", plan], in: folder)
            #expect(!other.isSuccess && other.text.contains("version 9"), "\(other.text)")
            #expect(!FileManager.default.fileExists(atPath: folder))
            let taken = try await prove(["--minutes", "0.1"], in: temporary.path)
            #expect(!taken.isSuccess && taken.text.contains("exists; name another folder"), "\(taken.text)")
            #expect(FileManager.default.fileExists(atPath: plan), "what is there is not touched")
        }
    }
}
