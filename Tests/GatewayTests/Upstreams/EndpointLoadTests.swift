import NIOCore
import Testing

@testable import Gateway

@Suite struct EndpointLoadTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    /// The load of an address whose last ten answers took the same time.
    private func load(answeringIn milliseconds: Int64) -> EndpointLoad {
        var load = EndpointLoad()
        for second in -9...0 {
            load.answered(after: .milliseconds(milliseconds), now: start + .seconds(Int64(second)))
        }
        return load
    }

    @Test func slowAddress_isDearer_untilItsAnswersAreOld() {
        let (slow, fast) = (load(answeringIn: 200), load(answeringIn: 1))
        #expect(slow.cost(now: start) > 100 * fast.cost(now: start))
        // The fast one is used meanwhile.
        var used = fast
        let later = start + .seconds(40)
        used.answered(after: .milliseconds(1), now: later)
        #expect(slow.cost(now: later) < used.cost(now: later))
    }

    @Test func busyAddress_isDearer_byItsOutstandingRequests() {
        var load = load(answeringIn: 1)
        let idle = load.cost(now: start)
        for _ in 0..<4 { load.began(now: start) }
        #expect(load.outstanding == 4)
        #expect(load.cost(now: start) == idle * 5)
        for _ in 0..<4 { load.ended(now: start) }
        #expect(load.outstanding == 0 && load.cost(now: start) == idle)
    }

    @Test func silentAddress_becomesDearer() {
        var (silent, slow) = (load(answeringIn: 1), load(answeringIn: 200))
        for _ in 0..<2 {
            silent.began(now: start)
            slow.began(now: start)
        }
        #expect(silent.cost(now: start) < slow.cost(now: start))
        #expect(silent.cost(now: start + .seconds(3)) > 3_000_000_000)
        slow.answered(after: .milliseconds(200), now: start + .seconds(3))
        #expect(silent.cost(now: start + .seconds(3)) > slow.cost(now: start + .seconds(3)))
    }

    @Test func newAddress_isNeitherFreeNorAvoided() {
        var new = EndpointLoad()
        let (slow, fast) = (load(answeringIn: 200), load(answeringIn: 1))
        #expect(new.cost(now: start) < slow.cost(now: start))
        for _ in 0..<20 { new.began(now: start) }
        #expect(new.cost(now: start) > fast.cost(now: start))
    }

    @Test func oneSlowAnswer_changesLittle() {
        var load = load(answeringIn: 1)
        for step in 1...100 { load.answered(after: .milliseconds(1), now: start + .milliseconds(Int64(step))) }
        let before = load.cost(now: start + .milliseconds(100))
        load.answered(after: .milliseconds(50), now: start + .milliseconds(101))
        #expect(load.cost(now: start + .milliseconds(101)) < before * 1.1)
    }

    // MARK: Waits

    private func busy(_ count: Int) -> EndpointLoad {
        var load = EndpointLoad()
        for _ in 0..<count { load.began(now: start) }
        #expect(load.expectedWait(now: start) == .zero)
        return load
    }

    @Test func expectedWait_isOutstandingDividedByRate() {
        var load = busy(1100)
        for _ in 0..<100 { load.ended(now: start) }
        // Nothing is refused before a whole period is measured.
        #expect(load.expectedWait(now: start + .milliseconds(4999)) == .zero)
        #expect(load.expectedWait(now: start + .seconds(5)) == .seconds(50))
        // The next period is faster.
        for _ in 0..<500 { load.ended(now: start + .seconds(5)) }
        #expect(load.expectedWait(now: start + .seconds(10)) == .seconds(5))
    }

    @Test func addressThatStandsStill_isExpectedToGoOnSo() {
        var load = busy(EndpointLoad.fewest)
        for seconds in [1, 4, 20] as [Int64] {
            #expect(load.expectedWait(now: start + .seconds(seconds)) == .seconds(seconds))
        }
    }

    @Test func addressThatHasPaused_isNotSlow() {
        var load = busy(1000)
        let end = start + .seconds(8)
        for _ in 0..<10 { load.ended(now: end) }
        #expect(load.expectedWait(now: end) == .zero)
        for step in 1...400 { load.ended(now: end + .milliseconds(Int64(step))) }
        #expect(load.expectedWait(now: end + .seconds(5)) < .seconds(10))
    }

    @Test func fewRequests_waitForNothing() {
        var load = busy(EndpointLoad.fewest)
        #expect(load.expectedWait(now: start + .seconds(1)) > .zero)
        load.ended(now: start + .seconds(2))
        #expect(load.expectedWait(now: start + .seconds(2)) == .zero)
        // What was measured before does not count when it is busy again.
        load.began(now: start + .seconds(3))
        #expect(load.expectedWait(now: start + .seconds(3)) == .zero)
    }

    @Test func hedges_areATenthOfReads() {
        var budget = HedgeBudget()
        var taken = 0
        while budget.take() { taken += 1 }
        for _ in 0..<1000 {
            budget.countRead()
            if budget.take() { taken += 1 }
        }
        #expect((105...111).contains(taken))
    }
}
