import Proof
import Testing

struct ViolationTests {
    @Test func longStory_hasItsLastSteps_inTheOrderOfTime() {
        let steps = (0..<50).reversed().map { number in
            Step(at: Moment(microseconds: Int64(number)), phone: "phone 1", what: "step \(number)")
        }
        let story = Violation("nothing was wrong", story: steps).story
        #expect(story.map(\.what) == (30..<50).map { "step \($0)" })
    }
}
