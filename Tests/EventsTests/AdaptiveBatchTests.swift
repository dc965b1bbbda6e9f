import Testing
import Values

@testable import Events

struct AdaptiveBatchTests {
    private static var policy: OutboxRelay.RetryPolicy {
        var policy = OutboxRelay.RetryPolicy()
        policy.firstPause = .milliseconds(100)
        policy.sweep = .seconds(2)
        return policy
    }

    @Test func batchSize_halvesOnMissAndGrowsOnAnswer() {
        var pace = AdaptiveBatch(Self.policy)
        var random = SplitMix(state: 1)
        #expect(pace.size == 256)
        var sizes: [Int] = []
        for _ in 1...10 {
            _ = pace.missed(using: &random)
            sizes.append(pace.size)
        }
        #expect(sizes == [128, 64, 32, 16, 8, 4, 2, 1, 1, 1])
        pace.answered()
        #expect(pace.size == 17)
        for _ in 1...100 { pace.answered() }
        #expect(pace.size == 256)
    }

    @Test func pause_doublesOnMissUntilAnswer() {
        var pace = AdaptiveBatch(Self.policy)
        var random = SplitMix(state: 1)
        for usual in [100, 200, 400, 800, 1600, 2000, 2000] {
            let rest = pace.missed(using: &random)
            #expect(rest >= .milliseconds(usual) * 0.5 && rest <= .milliseconds(usual))
        }
        pace.answered()
        let rest = pace.missed(using: &random)
        #expect(rest <= .milliseconds(100))
    }
}
