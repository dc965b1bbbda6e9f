import Testing

@testable import Bench

@Suite struct BenchTableTests {
    @Test(arguments: [
        (BenchResult.Goal.ratioAtLeast(1.2), 120.0, true), (.ratioAtLeast(1.2), 119, false),
        (.ratioAtMost(0.5), 50, true), (.ratioAtMost(0.5), 51, false), (.atMost(10), 10, true),
        (.atMost(10), 11, false),
        (.atLeast(10), 10, true), (.atLeast(10), 9, false),
    ])
    func goal_isCompared(goal: BenchResult.Goal, ours: Double, isReached: Bool) {
        let yardstick = BenchResult.Yardstick(name: "other", value: 100)
        let result = BenchResult(name: "x", unit: "q/s", ours: ours, yardstick: yardstick, goal: goal)
        #expect(result.isReached == isReached)
    }

    @Test func ratio_withoutYardstick_isMissed() {
        let result = BenchResult(name: "x", unit: "q/s", ours: 1, goal: .ratioAtLeast(1))
        #expect(result.isReached == false)
        #expect(BenchResult(name: "x", unit: "q/s", ours: 1).isReached == nil)
    }

    @Test func lines_nameTheYardstick() {
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

    @Test func lines_ofRounds_haveMinimumAndSpread() {
        let yardstick = BenchResult.Yardstick(name: "pgbench", samples: Samples([50, 40, 50]))
        let samples = Samples([100, 120, 110])
        let table = BenchTable(results: [BenchResult(name: "x", unit: "q/s", samples: samples, yardstick: yardstick)])
        #expect(
            table.lines == [
                "    x  110 q/s [minimum 100, spread 10.0]  2.20 × [spread 0.500]",
                "      beside 50.0 [minimum 40.0, spread 5.00] of pgbench",
            ]
        )
    }

    @Test func ratio_isThatOfRounds_notOfMedians() {
        let yardstick = BenchResult.Yardstick(name: "x", samples: Samples([10, 20, 40]))
        let result = BenchResult(name: "x", unit: "s", samples: Samples([30, 20, 40]), yardstick: yardstick)
        #expect(result.ratio == 1)
        let unpaired = BenchResult.Yardstick(name: "x", samples: Samples([10, 20]))
        #expect(BenchResult(name: "x", unit: "s", samples: Samples([30]), yardstick: unpaired).ratio == 2)
    }

    @Test func direction_isThatOfTheGoalOrTheUnit() {
        #expect(BenchResult(name: "x", unit: "q/s", ours: 1).isHigherBetter)
        #expect(!BenchResult(name: "x", unit: "ms", ours: 1).isHigherBetter)
        #expect(BenchResult(name: "x", unit: "", ours: 1, goal: .atLeast(1)).isHigherBetter)
        #expect(!BenchResult(name: "x", unit: "q/s", ours: 1, goal: .ratioAtMost(1)).isHigherBetter)
    }
}
