import FoundationEssentials
import Subprocess
import SystemPackage
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// A short load of few people.
@Suite(.timeLimit(.minutes(10))) struct LoadCommandTests {
    private func load(_ words: [String], in folder: String) async throws -> (isSuccess: Bool, text: String) {
        let result = try await Subprocess.run(
            .path(FilePath("\(Executables.folder)/stack")),
            arguments: Arguments(["load", "--folder", folder] + words),
            output: .string(limit: 1 << 20),
            error: .combinedWithOutput
        )
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    /// Which number the machine serves beside other tests is not checked.
    @Test func peopleAct_theReportIsWritten_andNothingIsLeft() async throws {
        try await StackFixture.places.withSlots {
            try await TemporaryFolder.run { temporary in
                let (folder, page) = ("\(temporary.path)/load", "\(temporary.path)/report.html")
                let words = ["--people", "40", "--for", "20s", "--seed", "7", "--report", page]
                let run = try await load(words, in: folder)
                #expect(run.text.contains("send a message") && run.text.contains("People per vCPU"), "\(run.text)")
                #expect(!run.text.contains("% of the acts failed"), "\(run.text)")
                #expect(try String(contentsOfFile: page, encoding: .utf8).contains("Where the time goes"))
                #expect(!FileManager.default.fileExists(atPath: folder))
            }
        }
    }

    @Test func wrongOptions_areRefused_beforeAnythingStarts() async throws {
        try await TemporaryFolder.run { temporary in
            let folder = "\(temporary.path)/load"
            #expect(try await load(["--people", "1"], in: folder).text.contains("--people takes a number"))
            #expect(try await load(["--for", "5s"], in: folder).text.contains("at least 10s"))
            #expect(try await load(["--for", "soon"], in: folder).text.contains("soon"))
            #expect(!FileManager.default.fileExists(atPath: folder))
            let taken = try await load(["--people", "20", "--for", "10s"], in: temporary.path)
            #expect(!taken.isSuccess && taken.text.contains("exists; name another folder"), "\(taken.text)")
        }
    }

    @Test func lengths_haveAUnit() {
        #expect(RunLength(argument: "90s")?.duration == .seconds(90))
        #expect(RunLength(argument: "10m")?.duration == .seconds(600))
        #expect(RunLength(argument: "1h")?.duration == .seconds(3600))
        for text in ["", "m", "10", "0s", "-1m", "1d", "25h", "1.5m", "99999999999999999999s"] {
            #expect(RunLength(argument: text) == nil, "\(text)")
        }
    }
}
