import FoundationEssentials
import Testing

@testable import Notifications

/// The circuit breaker of the calls to FCM. Its gate is closed while FCM fails.
@Suite
struct CircuitBreakerTests {
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    let away = PushOutcome.later("503")

    @Test
    func gate_afterFiveConsecutiveFailures_closes() {
        var gate = CircuitBreaker()
        for _ in 0..<4 {
            let hasMoved = gate.hear(away, at: now)
            #expect(!hasMoved)
        }
        let hasMovedThen = gate.hear(.sent, at: now)
        #expect(!hasMovedThen)
        for _ in 0..<4 {
            let hasMovedLater = gate.hear(away, at: now)
            #expect(!hasMovedLater)
        }
        #expect(gate.isClosed)
        let hasMovedAtLast = gate.hear(away, at: now)
        #expect(hasMovedAtLast)
        #expect(!gate.isClosed)
    }

    @Test
    func closedGate_admitsOneProbeAtATime_withGrowingPauses() throws {
        var gate = CircuitBreaker()
        for _ in 0..<5 { _ = gate.hear(away, at: now) }
        let isAdmitted = gate.admitProbe(at: now)
        #expect(!isAdmitted)
        var pauses: [TimeInterval] = []
        var time = now
        for _ in 0..<8 {
            let end = try #require(gate.openUntil)
            pauses.append(end.timeIntervalSince(time))
            time = end
            let isAdmittedThen = gate.admitProbe(at: time)
            #expect(isAdmittedThen)
            let isAdmittedLater = gate.admitProbe(at: time)
            #expect(!isAdmittedLater)
            let hasMoved = gate.hear(away, at: time)
            #expect(hasMoved)
        }
        #expect(pauses[0] < 2)
        #expect(pauses[7] >= 30 && pauses[7] <= 60)
        let end = try #require(gate.openUntil)
        let isAdmittedAtLast = gate.admitProbe(at: end)
        #expect(isAdmittedAtLast)
        let hasMovedThen = gate.hear(.sent, at: end)
        #expect(hasMovedThen)
        #expect(gate == CircuitBreaker())
    }

    @Test
    func lateOutcomes_doNotExtendPause() {
        var gate = CircuitBreaker()
        for _ in 0..<5 { _ = gate.hear(away, at: now) }
        let closed = gate
        for _ in 0..<200 {
            let hasMoved = gate.hear(away, at: now)
            #expect(!hasMoved)
        }
        #expect(gate == closed)
    }

    @Test
    func misconfiguration_closesGateAtOnce() {
        var gate = CircuitBreaker()
        for outcome in [PushOutcome.quiet, .undecided] { _ = gate.hear(outcome, at: now) }
        #expect(gate == CircuitBreaker())
        let hasMoved = gate.hear(.misconfigured("401"), at: now)
        #expect(hasMoved)
        #expect(gate.openUntil.map { $0 >= now + 30 } == true)
    }

    @Test
    func gate_retryAfter_staysClosedThatLong() {
        var gate = CircuitBreaker()
        for _ in 0..<5 { _ = gate.hear(.later("429", after: 300), at: now) }
        #expect(gate.openUntil == now + 300)
    }

    @Test
    func cancelledProbe_admitsAnother() throws {
        var gate = CircuitBreaker()
        for _ in 0..<5 { _ = gate.hear(away, at: now) }
        let end = try #require(gate.openUntil)
        let isAdmitted = gate.admitProbe(at: end)
        #expect(isAdmitted)
        gate.cancelProbe()
        let isAdmittedThen = gate.admitProbe(at: end)
        #expect(isAdmittedThen)
    }

    @Test(arguments: [PushOutcome.quiet, .undecided])
    func inconclusiveProbe_admitsAnother(outcome: PushOutcome) throws {
        var gate = CircuitBreaker()
        for _ in 0..<5 { _ = gate.hear(away, at: now) }
        let end = try #require(gate.openUntil)
        let isAdmitted = gate.admitProbe(at: end)
        #expect(isAdmitted)
        _ = gate.hear(outcome, at: end)
        let isAdmittedThen = gate.admitProbe(at: end)
        #expect(isAdmittedThen)
    }
}
