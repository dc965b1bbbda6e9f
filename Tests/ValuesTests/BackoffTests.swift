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
}
