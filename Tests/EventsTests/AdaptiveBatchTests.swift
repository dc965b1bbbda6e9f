import Testing

@testable import Events

struct AdaptiveBatchTests {
    private static var patience: OutboxRelay.Patience {
        var patience = OutboxRelay.Patience()
        patience.firstPause = .milliseconds(100)
        patience.sweep = .seconds(2)
        return patience
    }

    @Test func asksLessOfWhoDoesNotAnswer() {
        var pace = AdaptiveBatch(Self.patience)
        #expect(pace.size == 256)
        var sizes: [Int] = []
        for _ in 1...10 {
            _ = pace.missed()
            sizes.append(pace.size)
        }
        #expect(sizes == [128, 64, 32, 16, 8, 4, 2, 1, 1, 1])
        pace.answered()
        #expect(pace.size == 17)
        for _ in 1...100 { pace.answered() }
        #expect(pace.size == 256)
    }

    @Test func restsLongerEachTimeUntilThereIsAnAnswer() {
        var pace = AdaptiveBatch(Self.patience)
        for usual in [100, 200, 400, 800, 1600, 2000, 2000] {
            let rest = pace.missed()
            #expect(rest >= .milliseconds(usual) * 0.74 && rest <= .milliseconds(usual) * 1.26)
        }
        pace.answered()
        #expect(pace.missed() <= .milliseconds(126))
    }
}
