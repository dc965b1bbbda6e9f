import TestKit
import Testing

@testable import Payments

/// The settlement of payments while PortOne answers late, twice or never: every won is sold or given back, once.
@Suite struct SettlementSimulationTests {
    @Test(arguments: 1...24 as ClosedRange<UInt64>) func everyWon_isSoldOrGivenBackOnce(seed: UInt64) {
        let simulation = Simulation(SettlementModel())
        let run = simulation.run(seed: seed, steps: 6_000)
        #expect(run.broken == nil, "\(simulation.shrink(run).story)")
        let verdicts = Set(run.model.books.payments.values.compactMap(\.payment.verdict))
        #expect(verdicts.isSuperset(of: [.confirmed, .wrongAmount, .alreadyPaid]), "\(verdicts)")
    }

    @Test(arguments: SettlementModel.Defect.allCases)
    func defect_isFoundWithShortStory(defect: SettlementModel.Defect) throws {
        let simulation = Simulation(SettlementModel(defect: defect))
        let found = try #require(simulation.counterexample(seeds: 1...300, steps: 2_000), "not found")
        #expect(found.happenings.count <= 8 && found.trace.count <= 20, "\(found.story)")
    }

    @Test func seed_determinesTheRun() {
        let simulation = Simulation(SettlementModel())
        let runs = (0..<2).map { _ in simulation.run(seed: 7, steps: 3_000, isTraced: true) }
        #expect(runs[0].trace == runs[1].trace && runs[0].trace.count > 500)
        #expect(simulation.replay(runs[0].happenings, seed: 7).trace == runs[0].trace)
        #expect(simulation.run(seed: 8, steps: 3_000, isTraced: true).trace != runs[0].trace)
    }
}
