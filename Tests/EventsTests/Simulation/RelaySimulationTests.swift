import TestKit
import Testing

@testable import Events

/// Events on their way to a subscriber while everything between fails: each is applied once, in the order of its key.
@Suite struct RelaySimulationTests {
    @Test(arguments: 1...24 as ClosedRange<UInt64>) func everyEvent_isAppliedOnceInOrder(seed: UInt64) {
        let simulation = Simulation(RelayModel())
        let run = simulation.run(seed: seed, steps: 4_000)
        #expect(run.broken == nil, "\(simulation.shrink(run).story)")
        #expect(run.model.subscriber.applied.count > 20 && run.model.outbox.rows.contains { $0.isParked })
    }

    @Test(arguments: RelayModel.Defect.allCases) func defect_isFoundWithShortStory(defect: RelayModel.Defect) throws {
        let simulation = Simulation(RelayModel(defect: defect))
        let found = try #require(simulation.counterexample(seeds: 1...100, steps: 1_000), "not found")
        #expect(found.happenings.count <= 8 && found.trace.count <= 20, "\(found.story)")
    }

    @Test func seed_determinesTheRun() {
        let simulation = Simulation(RelayModel())
        let runs = (0..<2).map { _ in simulation.run(seed: 7, steps: 3_000, isTraced: true) }
        #expect(runs[0].trace == runs[1].trace && runs[0].trace.count > 100)
        #expect(simulation.replay(runs[0].happenings, seed: 7).trace == runs[0].trace)
        #expect(simulation.run(seed: 8, steps: 3_000, isTraced: true).trace != runs[0].trace)
    }
}
