import TestKit
import Testing

@testable import Chat

/// With Suhyeon's sockets while connections, copies and notifications are lost: a phone in a room gets every message of
/// the other member, in order.
@Suite struct SocketSimulationTests {
    @Test(arguments: 1...24 as ClosedRange<UInt64>) func everyMessage_arrivesInOrder(seed: UInt64) {
        let simulation = Simulation(SocketModel())
        let run = simulation.run(seed: seed, steps: 6_000)
        #expect(run.broken == nil, "\(simulation.shrink(run).story)")
        #expect(run.model.phone.lastConnection > 20 && run.model.rooms.last > 200)
    }

    @Test(arguments: SocketModel.Defect.allCases) func defect_isFoundWithShortStory(defect: SocketModel.Defect) throws {
        let simulation = Simulation(SocketModel(defect: defect))
        let found = try #require(simulation.counterexample(seeds: 1...100, steps: 1_000), "not found")
        #expect(found.happenings.count <= 8 && found.trace.count <= 20, "\(found.story)")
    }

    @Test func seed_determinesTheRun() {
        let simulation = Simulation(SocketModel())
        let runs = (0..<2).map { _ in simulation.run(seed: 7, steps: 3_000, isTraced: true) }
        #expect(runs[0].trace == runs[1].trace && runs[0].trace.count > 500)
        #expect(simulation.replay(runs[0].happenings, seed: 7).trace == runs[0].trace)
        #expect(simulation.run(seed: 8, steps: 3_000, isTraced: true).trace != runs[0].trace)
    }
}
