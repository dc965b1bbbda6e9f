import Testing
import Values

@Suite struct BackoffTests {
    @Test func pauses_doubleWithJitter_untilReset() {
        var backoff = Backoff(from: .milliseconds(100), to: .milliseconds(350))
        for longest in [100, 200, 350, 350] {
            let pause = backoff.next()
            #expect(pause <= .milliseconds(longest))
            #expect(pause >= .milliseconds(longest) / 2)
        }
        backoff.reset()
        #expect(backoff.next() <= .milliseconds(100))
    }

    @Test func pause_afterManyFailures_isTheLongest() {
        let backoff = Backoff(from: .seconds(1), to: .seconds(60))
        for failures in [7, 400, .max] { #expect(backoff.pause(after: failures) >= .seconds(30)) }
        for failures in [.min, 0, 1] { #expect(backoff.pause(after: failures) <= .seconds(1)) }
    }

    @Test func jitter_isThatOfTheGenerator() {
        let pauses = [1, 1, 2].map { seed -> [Duration] in
            var random = SplitMix(state: UInt64(seed))
            var backoff = Backoff(from: .seconds(1), to: .seconds(60))
            return (0..<8).map { _ in backoff.next(using: &random) }
        }
        #expect(pauses[0] == pauses[1])
        #expect(pauses[0] != pauses[2])
    }
}
