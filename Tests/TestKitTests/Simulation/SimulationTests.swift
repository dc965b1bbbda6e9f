import TestKit
import Testing

@Suite struct SimulationTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func correctModel_keepsItsPromises(seed: UInt64) {
        let run = Simulation(CounterModel()).run(seed: seed, steps: 2_000)
        #expect(run.broken == nil)
        #expect(run.steps >= 2_000 && run.model.sum > 300)
    }

    @Test func run_isTheSameForASeed() {
        let simulation = Simulation(CounterModel())
        let run = simulation.run(seed: 3, steps: 1_000, isTraced: true)
        #expect(run.trace.count > 500)
        #expect(simulation.run(seed: 3, steps: 1_000, isTraced: true).trace == run.trace)
        #expect(simulation.replay(run.happenings, seed: 3).trace == run.trace)
        #expect(simulation.run(seed: 4, steps: 1_000, isTraced: true).trace != run.trace)
        #expect(simulation.run(seed: 3, steps: 1_000).trace == [])
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>) func defects_areFoundWithShortStory(seed: UInt64) {
        let repetitions = Simulation(CounterModel(addsRepetitions: true))
        let twice = repetitions.shrink(repetitions.run(seed: seed, steps: 2_000))
        #expect(twice.broken?.promise == "nothing is added twice")
        #expect(twice.happenings.count <= 4 && twice.trace.count <= 20, "\(twice.story)")
        let forgetting = Simulation(CounterModel(forgets: true))
        let lost = forgetting.shrink(forgetting.run(seed: seed, steps: 2_000))
        #expect(lost.broken?.promise == "all is added")
        #expect(lost.happenings.count <= 4 && lost.trace.count <= 20, "\(lost.story)")
    }

    private func story(_ kinds: (Int64, Happening<CounterModel>.Kind)...) -> [String] {
        let happenings = kinds.map { Happening<CounterModel>(instant: $0, kind: $1) }
        return Simulation(CounterModel()).replay(happenings, seed: 1).trace
            .map { String($0.split(separator: " s ", maxSplits: 1)[1]) }
    }

    private let add = Happening<CounterModel>.Kind.input(.init(number: 1))
    private let confirmed = ["client → server: add 1", "server → client: added 1"]

    @Test func messages_arriveOnceWithoutFaults() {
        #expect(story((0, add)) == ["add 1"] + confirmed)
    }

    @Test func lostMessage_doesNotArrive() {
        let lost = "fault: the next message from client to server is lost"
        let story = story((0, .fault(.lose(.client, .server))), (0, add))
        #expect(story == [lost, "add 1", "client: repeats"] + confirmed)
    }

    @Test func repeatedMessage_arrivesTwice() {
        let story = story((0, .fault(.repeat(.client, .server, after: 100))), (0, add))
        #expect(story.dropFirst() == (["add 1"] + confirmed + confirmed)[...])
    }

    @Test func lateMessage_isOvertaken() {
        let story = story((0, .fault(.delay(.client, .server, by: 100))), (0, add), (0, add))
        #expect(story.filter { $0.hasPrefix("client") } == ["client → server: add 2", "client → server: add 1"])
    }

    @Test func partedParties_doNotReachEachOther() {
        let story = story((0, .fault(.part(.client, .server, for: 900))), (0, add))
        #expect(story.dropFirst() == (["add 1", "client: repeats", "client: repeats"] + confirmed)[...])
    }

    @Test func crashedParty_getsNothingUntilItStartsAgain() {
        let story = story((0, .fault(.crash(.server, for: 700))), (0, add))
        let repeated = ["client: repeats", "server starts again", "client: repeats"]
        #expect(story.dropFirst() == (["add 1"] + repeated + confirmed)[...])
    }

    @Test func minimize_leavesNoElementThatIsNotNeeded() {
        let smallest = minimize(Array(0..<100)) { Set($0).isSuperset(of: [3, 50, 51, 99]) }
        #expect(smallest == [3, 50, 51, 99])
        #expect(minimize([1, 2, 3]) { _ in true } == [])
    }
}
