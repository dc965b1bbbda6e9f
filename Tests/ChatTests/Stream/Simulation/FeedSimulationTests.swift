import TestKit
import Testing

@testable import Chat

/// The events of a room while connections, copies and notifications are lost: every phone gets each event once, in order.
@Suite struct FeedSimulationTests {
    @Test(arguments: 1...24 as ClosedRange<UInt64>) func everyEvent_comesOnceInOrder(seed: UInt64) {
        let simulation = Simulation(FeedModel())
        let run = simulation.run(seed: seed, steps: 6_000)
        #expect(run.broken == nil, "\(simulation.shrink(run).story)")
        #expect(run.model.connectionCount > 40 && run.model.last > 100)
    }

    @Test(arguments: FeedModel.Defect.allCases) func defect_isFoundWithShortStory(defect: FeedModel.Defect) throws {
        let simulation = Simulation(FeedModel(defect: defect))
        let found = try #require(simulation.counterexample(seeds: 1...100, steps: 500), "not found")
        #expect(found.trace.count <= 20, "\(found.story)")
    }

    @Test func seed_determinesTheRun() {
        let simulation = Simulation(FeedModel())
        let runs = (0..<2).map { _ in simulation.run(seed: 7, steps: 3_000, isTraced: true) }
        #expect(runs[0].trace == runs[1].trace && runs[0].trace.count > 500)
        #expect(simulation.replay(runs[0].happenings, seed: 7).trace == runs[0].trace)
        #expect(simulation.run(seed: 8, steps: 3_000, isTraced: true).trace != runs[0].trace)
    }
}
