import Contracts
import Proof
import Testing
import Values

/// Random histories of a car that keeps its promises, and their mutations.
struct RandomSeatsTests {
    @Test(arguments: 0..<10) func correctCar_isKept(seed: UInt64) {
        let finding = SeatsHaveOneOccupant.check(SeatSimulation(seed: seed, acts: 600, losses: 10).acts)
        #expect(finding.sentences == [])
        #expect(finding.undecided == [])
    }

    @Test func threeThousandActs_areDecided() {
        let acts = SeatSimulation(seed: 1, acts: 3000, phones: 30, seats: 54).acts
        let finding = SeatsHaveOneOccupant.check(acts)
        #expect(finding.isKept)
        #expect(finding.checked == 3000)
    }

    @Test(arguments: 0..<3) func stalledCar_isDecided(seed: UInt64) {
        let acts = SeatSimulation(seed: seed, acts: 2000, seats: 30, stalls: true).acts
        let finding = SeatsHaveOneOccupant.check(acts)
        #expect(finding.sentences == [])
        #expect(finding.undecided == [])
    }

    /// In the middle of many acts, a passenger is shown who never sat there.
    @Test(arguments: 0..<5) func impossibleReading_isFound(seed: UInt64) throws {
        var acts = SeatSimulation(seed: seed, acts: 1500, seats: 54).acts
        let index = try #require(acts.indices.filter { isDoneReading(acts[$0]) }.dropFirst(150).first)
        guard case .read(var occupants) = acts[index].call else { return }
        let seat = try #require(occupants.keys.min())
        occupants[seat] = AccountID(rawValue: 99)
        acts[index].call = .read(occupants)
        let finding = SeatsHaveOneOccupant.check(acts)
        #expect(finding.violations.count == 1)
        #expect(finding.violations.first?.story.count ?? 99 <= Violation.longestStory)
    }

    /// A sitting that was refused, for the seat had an occupant, is taken for done: the seat has two.
    @Test(arguments: 0..<5) func secondOccupant_isFound(seed: UInt64) throws {
        var acts = SeatSimulation(seed: seed, acts: 800, losses: 2).acts
        let refused = acts.indices.filter { acts[$0].attempt.outcome == .refused("409 SEAT_ALREADY_RESERVED") }
        let index = try #require(refused.dropFirst(20).first)
        acts[index].attempt.outcome = .done
        let finding = SeatsHaveOneOccupant.check(acts)
        #expect(!finding.violations.isEmpty)
        #expect(finding.violations.allSatisfy { $0.story.count <= 8 })
    }

    /// A passenger leaves, and is shown on the seat again and again.
    @Test(arguments: 0..<5) func lostLeaving_isFound(seed: UInt64) throws {
        var acts = SeatSimulation(seed: seed, acts: 800, losses: 0).acts
        let done = acts.indices.filter { acts[$0].call == .leave && acts[$0].attempt.outcome == .done }
        let index = try #require(done.dropFirst(20).first)
        acts[index].attempt.outcome = .refused("409 USER_NOT_RESERVED")
        #expect(!SeatsHaveOneOccupant.check(acts).isKept)
    }

    private func isDoneReading(_ act: SeatAct) -> Bool {
        guard case .read(let occupants) = act.call else { return false }
        return act.attempt.outcome.isDone && !occupants.isEmpty
    }
}
