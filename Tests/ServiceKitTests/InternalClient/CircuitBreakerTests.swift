import Testing

@testable import ServiceKit

@Suite struct CircuitBreakerTests {
    private let start = ContinuousClock.now

    @Test func breaker_opensAfterFiveFailuresAndProbesEachSecond() {
        let circuitBreaker = CircuitBreaker()
        for _ in 0..<5 {
            #expect(circuitBreaker.admits(at: start))
            circuitBreaker.failed(at: start)
        }
        #expect(!circuitBreaker.admits(at: start))
        #expect(!circuitBreaker.admits(at: start + .milliseconds(999)))
        #expect(circuitBreaker.admits(at: start + .seconds(1)))
        #expect(!circuitBreaker.admits(at: start + .seconds(1)))
        circuitBreaker.succeeded()
        #expect(circuitBreaker.admits(at: start + .seconds(1)))
    }

    @Test func retries_areLimitedToTenthOfLoad() {
        let circuitBreaker = CircuitBreaker()
        var retries = 0
        for _ in 0..<1000 {
            _ = circuitBreaker.admits(at: start)
            if circuitBreaker.allowsRetry() { retries += 1 }
        }
        #expect((100...111).contains(retries))
    }
}
