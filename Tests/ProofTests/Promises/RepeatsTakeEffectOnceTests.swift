import Proof
import Testing

struct RepeatsTakeEffectOnceTests {
    private func act(_ begun: Double, _ outcome: Outcome = .done, answer: String? = "7") -> KeyedAct {
        let answer = outcome == .done ? answer : nil
        return KeyedAct(Attempt(1, begun, begun + 1, outcome), key: "k", "placed an order", answer: answer)
    }

    @Test func repeatedAct_isDoneOnce() {
        #expect(RepeatsTakeEffectOnce.check([act(1, .lost), act(3), act(5)], effects: ["k": 1]).isKept)
        #expect(RepeatsTakeEffectOnce.check([act(1, .lost), act(3, .lost)], effects: ["k": 1]).isKept)
        #expect(RepeatsTakeEffectOnce.check([act(1, .lost)], effects: [:]).isKept)
        #expect(RepeatsTakeEffectOnce.check([act(1, .refused("400 BAD"))], effects: [:]).isKept)
    }

    @Test func secondEffect_isFound() {
        let finding = RepeatsTakeEffectOnce.check([act(1, .lost), act(3)], effects: ["k": 2])
        #expect(finding.sentences == ["phone 1 placed an order 2 times with one key, and it happened 2 times."])
        #expect(finding.stories == [["phone 1 placed an order", "phone 1 placed an order, answered 7"]])
    }

    @Test func missingEffect_isFound() {
        let finding = RepeatsTakeEffectOnce.check([act(1)], effects: [:])
        #expect(finding.sentences == ["phone 1 placed an order, which was acknowledged and has not happened."])
    }

    @Test func effectOfARefusedAct_isFound() {
        let finding = RepeatsTakeEffectOnce.check([act(1, .refused("400 BAD"))], effects: ["k": 1])
        #expect(finding.sentences == ["phone 1 placed an order, which was refused and has happened."])
    }

    @Test func differentAnswers_areFound() {
        let finding = RepeatsTakeEffectOnce.check([act(1), act(3, answer: "8")], effects: ["k": 1])
        #expect(finding.sentences == ["phone 1 placed an order with one key, and was answered 7, 8."])
    }
}
