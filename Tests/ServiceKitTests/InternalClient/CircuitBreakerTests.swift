import Testing

@testable import ServiceKit

@Suite struct CircuitBreakerTests {
    private let start = ContinuousClock.now

    @Test func opensAfterFiveFailuresAndLetsOneThroughEachSecond() {
        let guardian = CircuitBreaker()
        for _ in 0..<5 {
            #expect(guardian.admits(at: start))
            guardian.failed(at: start)
        }
        #expect(!guardian.admits(at: start))
        #expect(!guardian.admits(at: start + .milliseconds(999)))
        #expect(guardian.admits(at: start + .seconds(1)))
        #expect(!guardian.admits(at: start + .seconds(1)))
        guardian.succeeded()
        #expect(guardian.admits(at: start + .seconds(1)))
    }

    @Test func keepsRetriesToATenthOfTheLoad() {
        let guardian = CircuitBreaker()
        var retries = 0
        for _ in 0..<1000 {
            _ = guardian.admits(at: start)
            if guardian.allowsRetry() { retries += 1 }
        }
        #expect((100...111).contains(retries))
    }
}
