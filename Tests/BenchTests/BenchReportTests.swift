import FoundationEssentials
import StackKit
import Testing

@testable import Bench

@Suite struct BenchReportTests {
    private let report = BenchReport.test([
        BenchResult(
            name: "select",
            unit: "q/s",
            samples: Samples([2, 4, 6]),
            yardstick: .init(name: "pgbench", samples: Samples([1, 2, 2])),
            goal: .ratioAtLeast(1.2)
        ),
        BenchResult(name: "memory", unit: "MB", ours: 5),
    ])

    @Test func file_isReadAsItWasWritten() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try report.save(to: path)
        #expect(try BenchReport.read(path) == report)
        #expect(report.suites[0].rows[0].ratio == Samples([2, 2, 3]))
        #expect(report.suites[0].rows[0].goal == ["ratioAtLeast": 1.2] && report.suites[0].rows[0].isReached == true)
        #expect(report.suites[0].rows[1].ratio == nil && report.suites[0].rows[1].isReached == nil)
    }

    @Test func file_isTheSameForTheSameRun() throws {
        #expect(try report.json == report.json)
        #expect(String(decoding: try report.json, as: UTF8.self).contains(#""date" : "1970-01-01T00:00:00Z""#))
    }

    @Test(arguments: [
        ("no JSON", "x.json is no report of `bench --save`"), ("{}", "x.json is no report of `bench --save`"),
        (#"{"format":2}"#, "x.json has format 2, and this bench reads format 1"),
    ])
    func otherFiles_areRefused(text: String, sentence: String) {
        #expect(throws: StackError(sentence)) { try BenchReport.parse(Data(text.utf8), from: "x.json") }
    }

    @Test func damagedFile_isRefused() {
        #expect { try BenchReport.parse(Data(#"{"format":1}"#.utf8), from: "x.json") } throws: {
            "\($0)".hasPrefix("x.json is a damaged report: ")
        }
    }

    @Test func pathsThatCannotBeUsed_areNamed() {
        #expect(throws: StackError("/nowhere/x.json cannot be read")) { try BenchReport.read("/nowhere/x.json") }
        #expect(throws: StackError("/nowhere/x.json cannot be written")) { try report.save(to: "/nowhere/x.json") }
    }
}
