import FoundationEssentials
import Testing
import Values

@testable import Proof

struct HabitsTests {
    @Test func usualHabits_haveActsOfEachKind() throws {
        let habits = try Habits.usual()
        var random = SplitMix(state: 1)
        for (kind, weights) in habits.acts {
            let acts = Set((0..<2000).map { _ in habits.act(of: kind, &random) })
            #expect(acts == Set(weights.keys), "\(kind)")
        }
    }

    @Test func sameSeed_givesTheSameActs() throws {
        let habits = try Habits.usual()
        func acts(_ seed: UInt64) -> [String] {
            var random = SplitMix(state: seed)
            return (0..<100).map { _ in "\(habits.act(of: "buyer", &random)) \(habits.pause(&random))" }
        }
        #expect(acts(7) == acts(7) && acts(7) != acts(8))
    }

    @Test(arguments: [(#"{"version":2}"#, "not of the form"), ("", "not of the form"), ("[]", "not of the form")])
    func otherFile_isRefusedWithASentence(json: String, sentence: String) {
        let error = #expect(throws: ProofError.self) { try Habits(json: Data(json.utf8)) }
        #expect(error?.description.contains(sentence) == true)
    }

    @Test func clocks_areWrongOnSomePhones_byMinutesToHours() throws {
        var (habits, random) = (try Habits.usual(), SplitMix(state: 1))
        let errors = (0..<1000).map { _ in habits.clockError(&random) }
        let wrong = errors.filter { $0 != 0 }
        #expect((400...600).contains(wrong.count))
        #expect(wrong.allSatisfy { (120...7200).contains(abs($0)) })
        #expect(wrong.contains { $0 > 0 } && wrong.contains { $0 < 0 })
        habits.wrongClocks = nil
        #expect(habits.clockError(&random) == 0)
    }

    @Test func otherVersion_isNamed() throws {
        var habits = try Habits.usual()
        habits.version = 9
        let json = try JSONEncoder().encode(habits)
        let error = #expect(throws: ProofError.self) { try Habits(json: json) }
        #expect(error?.description == "the habits are of version 9, and this program reads version 1")
    }
}
