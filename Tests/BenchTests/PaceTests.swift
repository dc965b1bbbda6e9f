import NIOCore
import Testing

@testable import Bench

@Suite struct PaceTests {
    @Test func actions_areDueAtTheRate() {
        let pace = Pace(rate: 100)
        let start = NIODeadline.now() + .seconds(1)
        let first = pace.due(at: start)
        #expect(first.lowerBound == 0 && first.upperBound >= 100)
        #expect(pace.due(at: start).isEmpty && pace.due(at: start - .milliseconds(500)).isEmpty)
        #expect(pace.due(at: start + .seconds(1)).count == 100)
    }
}
