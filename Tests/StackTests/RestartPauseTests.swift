import Testing

@testable import Stack

@Suite struct RestartPauseTests {
    @Test func firstDeath_hasNoPause() {
        #expect(RestartPause().isOver())
    }

    @Test func repeatedDeaths_lengthenPauseToOneMinute() {
        var pause = RestartPause()
        let start = ContinuousClock.now
        for (number, longest) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
            let death = start + .seconds(number)
            pause.begin(at: death)
            #expect(!pause.isOver(at: death))
            #expect(pause.isOver(at: death + .seconds(longest)))
        }
    }

    @Test func deathAfterStableRun_hasShortestPause() {
        var pause = RestartPause()
        let start = ContinuousClock.now
        for _ in 0..<8 { pause.begin(at: start) }
        pause.begin(at: start + .seconds(121))
        #expect(pause.isOver(at: start + .seconds(122)))
    }
}
