import FoundationEssentials
import Testing

@testable import Notifications

@Suite("Whether FCM is sent anything")
struct CircuitBreakerTests {
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    let away = PushOutcome.later("503")

    @Test("Five tries in a row that come to nothing close it; one that goes through in between keeps it open")
    func closes() {
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
        #expect(gate.isOpen)
        let hasMovedAtLast = gate.hear(away, at: now)
        #expect(hasMovedAtLast)
        #expect(!gate.isOpen)
    }

    @Test("Closed, it lets one try through at a time, after a pause that grows, until one works")
    func probes() throws {
        var gate = CircuitBreaker()
        for _ in 0..<5 { _ = gate.hear(away, at: now) }
        let isAdmitted = gate.admitProbe(at: now)
        #expect(!isAdmitted)
        var pauses: [TimeInterval] = []
        var time = now
        for _ in 0..<8 {
            let end = try #require(gate.closedUntil)
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
        #expect(pauses[7] > 40 && pauses[7] <= 75)
        let end = try #require(gate.closedUntil)
        let isAdmittedAtLast = gate.admitProbe(at: end)
        #expect(isAdmittedAtLast)
        let hasMovedThen = gate.hear(.sent, at: end)
        #expect(hasMovedThen)
        #expect(gate == CircuitBreaker())
    }

    @Test("What was on its way when it closed neither closes it longer nor counts as a probe")
    func stragglers() {
        var gate = CircuitBreaker()
        for _ in 0..<5 { _ = gate.hear(away, at: now) }
        let closed = gate
        for _ in 0..<200 {
            let hasMoved = gate.hear(away, at: now)
            #expect(!hasMoved)
        }
        #expect(gate == closed)
    }

    @Test("A setting that is wrong closes it at once; what says nothing of FCM changes nothing")
    func others() {
        var gate = CircuitBreaker()
        for outcome in [PushOutcome.quiet, .undecided] { _ = gate.hear(outcome, at: now) }
        #expect(gate == CircuitBreaker())
        let hasMoved = gate.hear(.misconfigured("401"), at: now)
        #expect(hasMoved)
        #expect(gate.closedUntil.map { $0 >= now + 45 } == true)
    }

    @Test("It stays closed as long as FCM asks for")
    func asked() {
        var gate = CircuitBreaker()
        for _ in 0..<5 { _ = gate.hear(.later("429", after: 300), at: now) }
        #expect(gate.closedUntil == now + 300)
    }

    @Test("A probe that found nothing to try gives its turn back")
    func emptyProbe() throws {
        var gate = CircuitBreaker()
        for _ in 0..<5 { _ = gate.hear(away, at: now) }
        let end = try #require(gate.closedUntil)
        let isAdmitted = gate.admitProbe(at: end)
        #expect(isAdmitted)
        gate.cancelProbe()
        let isAdmittedThen = gate.admitProbe(at: end)
        #expect(isAdmittedThen)
    }

    @Test("A probe that says nothing of FCM lets another find out", arguments: [PushOutcome.quiet, .undecided])
    func silentProbe(outcome: PushOutcome) throws {
        var gate = CircuitBreaker()
        for _ in 0..<5 { _ = gate.hear(away, at: now) }
        let end = try #require(gate.closedUntil)
        let isAdmitted = gate.admitProbe(at: end)
        #expect(isAdmitted)
        _ = gate.hear(outcome, at: end)
        let isAdmittedThen = gate.admitProbe(at: end)
        #expect(isAdmittedThen)
    }
}
