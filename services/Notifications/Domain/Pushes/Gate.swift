import FoundationEssentials

/// Whether FCM is sent anything of an app. When several tries in a row come to nothing it closes, so that an outage is met
/// with a try now and then and not with everything that waits; the first that goes through opens it.
struct Gate: Sendable, Equatable {
    private static let patience = 5

    private(set) var failures = 0
    private(set) var closedUntil: Date?
    /// Something is on its way that tells whether FCM works again.
    private(set) var isProbing = false

    var isOpen: Bool { closedUntil == nil }
    /// Whether something may go now: anything, or what tells whether FCM works again.
    var admits: Bool { isOpen || isProbing }

    /// Lets one try through, when it is time to see whether FCM works again.
    mutating func admitProbe(at now: Date) -> Bool {
        guard let closedUntil, closedUntil <= now, !isProbing else { return false }
        isProbing = true
        return true
    }

    /// There was nothing to try.
    mutating func cancelProbe() {
        isProbing = false
    }

    /// Hears what became of a try.
    ///
    /// - Returns: whether the gate has closed, or opened, by it.
    mutating func hear(_ outcome: PushOutcome, at now: Date) -> Bool {
        guard let isWorking = outcome.isWorking else {
            // It has told nothing: another is to find out.
            isProbing = false
            return false
        }
        guard !isWorking else {
            defer { self = Gate() }
            return closedUntil != nil
        }
        // Those that were on their way when it closed say nothing new.
        guard isOpen || isProbing else { return false }
        isProbing = false
        failures += 1
        switch outcome {
        case .misconfigured: closedUntil = now + Pause.after(.max)
        case .later(_, let asked) where failures >= Self.patience:
            closedUntil = now + Pause.after(failures - Self.patience + 1, asked: asked)
        default: return false
        }
        return true
    }
}
