import StackKit
import Testing
import Values

@testable import Proof

struct SabotageTrialTests {
    private static let trials = Result { try SabotageTrial.all() }

    @Test func eachDefect_hasOneTrial() throws {
        #expect(try Self.trials.get().map(\.defect) == Sabotage.allCases)
        #expect(Sabotage.allCases.count == 26)
    }

    @Test func promises_areThoseOfTheCheck_andEachFindsADefect() throws {
        let promises = Set(ProofCheck.promises)
        #expect(promises.count == 17)
        #expect(try Set(Self.trials.get().map(\.promise)) == promises)
    }

    @Test func trials_areShort_andNameWhatThereIs() throws {
        let usual = try Habits.usual()
        let programs = try Programs(environment: [:])
        let targets = Set(programs.all.map(\.name) + Programs.providers + ["postgres"])
        for trial in try Self.trials.get() {
            #expect(trial.minutes <= 1 && (20...100).contains(trial.phones), "\(trial.defect)")
            let shares = trial.habits.shares ?? [:]
            #expect(!shares.isEmpty && Habits.groups.isSuperset(of: shares.keys), "\(trial.defect)")
            for (kind, acts) in trial.habits.acts ?? [:] {
                #expect(Set((usual.acts[kind] ?? [:]).keys).isSuperset(of: acts.keys), "\(trial.defect): \(kind)")
            }
            #expect(targets.isSuperset(of: trial.faults.map(\.target)), "\(trial.defect)")
        }
    }

    /// A fault that conflicts with another one would be left out.
    @Test func faults_endWithinTheTrial_andNoneConflicts() throws {
        let rules = try FaultRules.standard()
        for trial in try Self.trials.get() {
            let plan = trial.plan
            let holds = plan.faults.map { FaultHold($0, rules) }
            for (index, hold) in holds.enumerated() {
                #expect(hold.fault.ends.microseconds < plan.length, "\(trial.defect)")
                let hasRoom = holds[..<index].allSatisfy { !$0.conflicts(with: hold) }
                #expect(hasRoom, "\(trial.defect): \(hold.fault)")
            }
        }
    }

    @Test func habits_areTheUsualOnes_butForTheTrialsOwn() throws {
        let usual = try Habits.usual()
        let trial = try #require(try Self.trials.get().first { $0.defect == .deletedTextKept })
        let habits = trial.settings(usual).habits
        #expect(habits.pause == [0.2, 1] && habits.lostAfter == usual.lostAfter)
        #expect(habits.acts["neighbour"] == ["send": 4, "delete": 2, "page": 2])
        #expect(habits.acts["reader"] == usual.acts["reader"])
        #expect(habits.share(of: "neighbours") == 100 && habits.share(of: "buyers") == 0)
        #expect(usual.share(of: "neighbours") == 30 && usual.share(of: "others") == 0)
    }

    @Test func name_choosesATrial() throws {
        #expect(try SabotageTrial.named("nameKept").map(\.defect) == [.nameKept])
        #expect(try SabotageTrial.named("all").count == 26)
        let error = #expect(throws: ProofError.self) { try SabotageTrial.named("name") }
        #expect(error?.description.contains("there is no defect name; there are: all, seatChecked") == true)
    }

    @Test func thisProgram_hasNoDefect() {
        #expect(!Sabotage.isBuilt && Sabotage.allCases.allSatisfy { !$0.isBuiltIn })
    }
}
