import Testing

@testable import Stack

@Suite struct BenchTableTests {
    @Test(arguments: [
        (0.0, "0.00"), (0.01234, "0.0123"), (1.5, "1.50"), (1.555, "1.56"), (45.14, "45.1"), (999.4, "999"),
        (1000, "1,000"), (104_512.4, "104,512"), (-1.5, "-1.50"), (.infinity, "–"), (9.999, "10.00"),
    ])
    func figuresHaveThreeDigits(value: Double, text: String) {
        #expect(BenchTable.figure(value) == text)
    }

    @Test(arguments: [
        (BenchResult.Goal.ratioAtLeast(1.2), 120.0, true), (.ratioAtLeast(1.2), 119, false),
        (.ratioAtMost(0.5), 50, true), (.ratioAtMost(0.5), 51, false), (.atMost(10), 10, true),
        (.atMost(10), 11, false),
        (.atLeast(10), 10, true), (.atLeast(10), 9, false),
    ])
    func goalsAreReachedOrNot(goal: BenchResult.Goal, ours: Double, isReached: Bool) {
        let yardstick = BenchResult.Yardstick(name: "other", value: 100)
        let result = BenchResult(name: "x", unit: "q/s", ours: ours, yardstick: yardstick, goal: goal)
        #expect(result.isReached == isReached)
    }

    @Test func aRatioWithoutAYardstickIsMissed() {
        let result = BenchResult(name: "x", unit: "q/s", ours: 1, goal: .ratioAtLeast(1))
        #expect(result.isReached == false)
        #expect(BenchResult(name: "x", unit: "q/s", ours: 1).isReached == nil)
    }

    @Test func linesNameTheYardstick() {
        let yardstick = BenchResult.Yardstick(name: "pgbench", value: 50_000)
        let table = BenchTable(results: [
            BenchResult(name: "select", unit: "q/s", ours: 75_000, yardstick: yardstick, goal: .ratioAtLeast(1.2)),
            BenchResult(name: "memory", unit: "MB", ours: 500, goal: .atMost(400)),
        ])
        #expect(
            table.lines == [
                "  ✓ select  75,000 q/s  1.50 ×  (to reach: ≥ 1.20 ×)",
                "      beside 50,000 of pgbench",
                "  ✗ memory  500 MB  (to reach: ≤ 400)",
            ]
        )
    }
}
