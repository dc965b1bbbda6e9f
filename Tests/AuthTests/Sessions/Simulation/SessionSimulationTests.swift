import TestKit
import Testing

@testable import Auth

/// Sessions under a simulated network: no owner is signed out without a theft, and every theft is noticed.
@Suite struct SessionSimulationTests {
    @Test(arguments: 1...24 as ClosedRange<UInt64>) func session_endsByTheftOnly(seed: UInt64) {
        for hasThief in [false, true] {
            let run = Simulation(SessionModel(hasThief: hasThief)).run(seed: seed, steps: 4_000)
            #expect(run.broken == nil, "\(Simulation(run.model).replay(run.happenings, seed: seed).story)")
            #expect(hasThief ? run.model.ends > 10 && run.model.ends >= run.model.thefts - 1 : run.model.ends == 0)
        }
    }

    @Test(arguments: SessionModel.Defect.allCases) func defect_isFoundWithShortStory(defect: SessionModel.Defect) throws
    {
        let hasThief = [.forgivesReuse, .ignoresUses].contains(defect)
        let simulation = Simulation(SessionModel(defect: defect, hasThief: hasThief))
        let found = try #require(simulation.counterexample(seeds: 1...100, steps: 1_000), "not found")
        #expect(found.happenings.count <= 8 && found.trace.count <= 20, "\(found.story)")
    }

    /// The limit of `SessionModel.roamsAnyTime`: from the old address a request comes late, after the phone has used the
    /// tokens that it got at the new one.
    @Test func networkThatChangesDuringRefresh_canEndTheSession() throws {
        let simulation = Simulation(SessionModel(hasThief: false, roamsAnyTime: true))
        let found = try #require(simulation.counterexample(seeds: 1...400, steps: 1_000), "not found")
        #expect(found.happenings.count <= 5 && found.trace.count <= 20, "\(found.story)")
    }

    @Test func seed_determinesTheRun() {
        let simulation = Simulation(SessionModel(hasThief: true))
        let runs = (0..<2).map { _ in simulation.run(seed: 7, steps: 2_000, isTraced: true) }
        #expect(runs[0].trace == runs[1].trace && runs[0].trace.count > 1_000)
        #expect(simulation.replay(runs[0].happenings, seed: 7).trace == runs[0].trace)
        #expect(simulation.run(seed: 8, steps: 2_000, isTraced: true).trace != runs[0].trace)
    }
}
