import TestKit
import Testing

@testable import Seats

/// The exchange of seats while calls, copies and announcements are lost: a seat has one occupant, credit neither grows nor
/// disappears, and what phones are answered is so.
@Suite struct ExchangeSimulationTests {
    @Test(arguments: 1...24 as ClosedRange<UInt64>) func seatsAndCredit_areKept(seed: UInt64) {
        let simulation = Simulation(ExchangeModel())
        let run = simulation.run(seed: seed, steps: 4_000)
        #expect(run.broken == nil, "\(simulation.shrink(run).story)")
        let counts = run.model.counts
        #expect(["occupy", "request", "accept", "cancel"].allSatisfy { counts[$0, default: 0] > 0 }, "\(counts)")
    }

    @Test(arguments: ExchangeModel.Defect.allCases)
    func defect_isFoundWithShortStory(defect: ExchangeModel.Defect) throws {
        let simulation = Simulation(ExchangeModel(defect: defect))
        let found = try #require(simulation.counterexample(seeds: 1...100, steps: 2_000), "not found")
        #expect(found.happenings.count <= 8 && found.trace.count <= 24, "\(found.story)")
    }

    @Test func seed_determinesTheRun() {
        let simulation = Simulation(ExchangeModel())
        let runs = (0..<2).map { _ in simulation.run(seed: 7, steps: 3_000, isTraced: true) }
        #expect(runs[0].trace == runs[1].trace && runs[0].trace.count > 500)
        #expect(simulation.replay(runs[0].happenings, seed: 7).trace == runs[0].trace)
        #expect(simulation.run(seed: 8, steps: 3_000, isTraced: true).trace != runs[0].trace)
    }
}
