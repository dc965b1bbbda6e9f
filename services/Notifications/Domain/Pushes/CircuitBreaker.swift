import FoundationEssentials

/// Stops sending an app's pushes to FCM after several failures in a row, and then admits single probes at increasing
/// intervals; the first success resumes sending.
struct CircuitBreaker: Sendable, Equatable {
    private static let failureLimit = 5

    private(set) var failures = 0
    private(set) var openUntil: Date?
    /// A probe is on its way.
    private(set) var isProbing = false

    /// Whether pushes are sent without restriction.
    var isClosed: Bool { openUntil == nil }
    /// Whether a push may be sent now, as a normal one or as the probe.
    var admits: Bool { isClosed || isProbing }

    /// Admits one probe, when it is time.
    mutating func admitProbe(at now: Date) -> Bool {
        guard let openUntil, openUntil <= now, !isProbing else { return false }
        isProbing = true
        return true
    }

    /// Withdraws a probe that was not sent.
    mutating func cancelProbe() {
        isProbing = false
    }

    /// Records the outcome of a push.
    ///
    /// - Returns: Whether sending was stopped or resumed by it.
    mutating func hear(_ outcome: PushOutcome, at now: Date) -> Bool {
        guard let isWorking = outcome.isWorking else {
            // The outcome says nothing about FCM, so another probe is needed.
            isProbing = false
            return false
        }
        guard !isWorking else {
            defer { self = CircuitBreaker() }
            return openUntil != nil
        }
        // Failures of pushes that were on their way when sending stopped are ignored.
        guard isClosed || isProbing else { return false }
        isProbing = false
        failures += 1
        switch outcome {
        case .misconfigured: openUntil = now + Pause.after(.max)
        case .later(_, let asked) where failures >= Self.failureLimit:
            openUntil = now + Pause.after(failures - Self.failureLimit + 1, asked: asked)
        default: return false
        }
        return true
    }
}
