import FoundationEssentials

/// The refresh tokens of a session: each one is exchanged for one successor, and reuse by a second party is detected.
///
/// The apps send several refreshes at once, and lose responses. While the successor is unused, its predecessor is
/// therefore exchanged for the same successor, from any origin: there is only one line of tokens. Once the successor
/// has called an API, the predecessor is accepted only within the grace period and only from an origin that obtained
/// the successor. From another origin, later, or two generations back, its use is treated as theft (RFC 9700 §4.14.2).
/// A device that changed networks between two requests has obtained it from two origins.
///
/// This type only decides; the store keeps the row locked meanwhile, so that two refreshes of one session cannot both
/// rotate.
struct RefreshFamily: Sendable, Equatable {
    /// Seconds after a rotation in which a second refresh of the same device is accepted.
    static let grace: TimeInterval = 60
    /// Maximum number of origins stored per generation.
    static let holderLimit = 8

    /// The generation of the newest refresh token.
    var generation = 0
    var expiresAt: Date
    var rotatedAt: Date?
    /// The newest generation whose access token has called an API.
    var usedGeneration = 0
    /// The origins that obtained the newest generation.
    var holders: Set<Origin> = []
    /// The reason for the end of the family; nil while it is active.
    var endReason: Session.EndReason?

    /// The decision about a presented refresh token.
    enum Verdict: Sendable, Equatable {
        /// The newest token: the next generation replaces it.
        case rotate
        /// The predecessor of the newest token: the stored response is repeated.
        case repeatAnswer
        /// An older token: the family ends.
        case reused
        /// The family has already ended; nil for a token that it never issued.
        case ended(Session.EndReason?)
        case expired
    }

    func verdict(presented: Int, from origin: Origin, now: Date) -> Verdict {
        if let endReason { return .ended(endReason) }
        if now >= expiresAt { return .expired }
        switch presented {
        case generation: return .rotate
        case generation - 1: return mayRepeat(for: origin, now: now) ? .repeatAnswer : .reused
        case ..<generation: return .reused
        default: return .ended(nil)
        }
    }

    /// Advances to the next generation.
    mutating func rotate(to origin: Origin, at now: Date) {
        generation += 1
        rotatedAt = now
        holders = [origin]
    }

    /// Adds an origin that obtained the newest generation.
    mutating func repeatAnswer(to origin: Origin) {
        guard holders.count < Self.holderLimit else { return }
        holders.insert(origin)
    }

    private func mayRepeat(for origin: Origin, now: Date) -> Bool {
        guard usedGeneration >= generation else { return true }
        guard let rotatedAt else { return false }
        return holders.contains(origin) && now.timeIntervalSince(rotatedAt) < Self.grace
    }
}

/// The origin of a request: the client's address and its `User-Agent`, as far as known.
struct Origin: Sendable, Equatable, Hashable {
    var address: String?
    var userAgent: String?
}
