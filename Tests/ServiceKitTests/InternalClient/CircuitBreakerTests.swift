import CoreMetrics
import Testing

@testable import ServiceKit

@Suite struct CircuitBreakerTests {
    private let start = ContinuousClock.now

    @Test func breaker_opensAfterFiveFailuresAndProbesEachSecond() {
        let circuitBreaker = CircuitBreaker(to: "chat")
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
        let circuitBreaker = CircuitBreaker(to: "chat")
        var retries = 0
        for _ in 0..<1000 {
            _ = circuitBreaker.admits(at: start)
            if circuitBreaker.allowsRetry() { retries += 1 }
        }
        #expect((100...111).contains(retries))
    }

    @Test func openBreakers_areCountedByTarget() {
        let registry = MetricsRegistry()
        let breakers = withMetricsFactory(registry) { (0..<2).map { _ in CircuitBreaker(to: "chat") } }
        func expect(_ open: Int) {
            #expect(registry.exposition().contains(#"circuit_breaker_open{target="chat"} \#(open).0"#))
        }
        expect(0)
        for _ in 0..<4 { breakers[0].failed(at: start) }
        breakers[0].succeeded()
        for _ in 0..<4 { breakers[0].failed(at: start) }
        expect(0)
        for _ in 0..<2 { breakers[0].failed(at: start) }
        expect(1)
        for _ in 0..<5 { breakers[1].failed(at: start) }
        expect(2)
        for _ in 0..<2 { breakers[0].succeeded() }
        expect(1)
        breakers[1].succeeded()
        expect(0)
    }
}
