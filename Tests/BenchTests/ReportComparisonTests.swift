import StackKit
import Testing

@testable import Bench

@Suite struct ReportComparisonTests {
    private func row(_ before: [Double], _ after: [Double], isHigherBetter: Bool = true) -> RowComparison {
        RowComparison(
            suite: "s",
            name: "x",
            unit: "q/s",
            subject: .ratio,
            before: Samples(before),
            after: Samples(after),
            isHigherBetter: isHigherBetter
        )
    }

    @Test(arguments: [
        // Within a twentieth, although no round varies.
        ([100.0, 100, 100], [96.0, 96, 96], "same"), ([100, 100, 100], [94, 94, 94], "slower"),
        ([100, 100, 100], [106, 106, 106], "faster"),
        // A spread of a tenth hides less than 15 %.
        ([90, 100, 110], [87, 87, 87], "same"), ([90, 100, 110], [84, 84, 84], "slower"),
        // Nothing is known of the noise of one figure.
        ([100], [75], "same"), ([100], [60], "slower"), ([100, 100, 100], [75], "same"),
        ([0], [0], "same"), ([0, 0, 0], [1, 1, 1], "faster"),
    ])
    func difference_countsBeyondTheNoise(before: [Double], after: [Double], word: String) {
        #expect(row(before, after).word == word)
    }

    @Test func timesThatGrow_areSlower() {
        #expect(row([100, 100, 100], [120, 120, 120], isHigherBetter: false).word == "slower")
        #expect(row([100, 100, 100], [80, 80, 80], isHigherBetter: false).word == "faster")
    }

    private func result(_ ours: Double, beside other: Double?, _ name: String = "pgbench (8)") -> BenchResult {
        BenchResult(
            name: "select",
            unit: "q/s",
            samples: Samples([ours, ours, ours]),
            yardstick: other.map { .init(name: name, samples: Samples([$0, $0, $0])) }
        )
    }

    @Test func slowDay_doesNotCount() throws {
        let comparison = try ReportComparison(
            .test([result(100, beside: 50)]),
            .test([result(60, beside: 30, "pgbench (16)")])
        )
        #expect(comparison.rows.map(\.word) == ["same"] && comparison.rows[0].subject == .ratio)
        #expect(comparison.lines.contains("  same    select: 2.00 → 2.00 × (0.0 %, noise 5.0 %)"))
        #expect(comparison.lines.contains("1 row: 1 same."))
    }

    @Test func otherYardstick_isNotComparedWith() throws {
        let comparison = try ReportComparison(
            .test([result(100, beside: 50)]),
            .test([result(60, beside: 30, "sysbench")])
        )
        #expect(comparison.rows.map(\.word) == ["slower"] && comparison.rows[0].subject == .figure)
        #expect(comparison.lines.contains("  slower  select: 100 → 60.0 q/s (-40.0 %, noise 5.0 %)"))
    }

    @Test func differentMachines_areComparedByRatios() throws {
        let memory = BenchResult(name: "memory", unit: "MB", ours: 5)
        let comparison = try ReportComparison(
            .test([result(100, beside: 50), memory]),
            .test([result(300, beside: 100), memory], on: .test("Other CPU"))
        )
        #expect(comparison.rows.map(\.word) == ["faster"])
        #expect(comparison.left == ["suite: memory"])
        #expect(comparison.lines.contains { $0.hasPrefix("These are different machines") })
    }

    @Test func rowsOfOneOnly_areNamed() throws {
        let other = BenchResult(name: "other", unit: "s", ours: 1)
        let comparison = try ReportComparison(.test([result(1, beside: nil)]), .test([result(1, beside: nil), other]))
        #expect(comparison.left == ["suite: other"] && comparison.lines.last == "  suite: other")
    }

    @Test func reportsWithoutCommonRows_areRefused() {
        let one = BenchResult(name: "one", unit: "s", ours: 1)
        #expect(throws: StackError("the reports have no row in common")) {
            try ReportComparison(.test([one]), .test([result(1, beside: 1)]))
        }
        #expect(throws: StackError.self) {
            try ReportComparison(.test([one]), .test([one], on: .test("Other CPU")))
        }
    }
}
