import FoundationEssentials

/// The life of a session's refresh tokens: each is good once, and leads to one successor however often it is presented,
/// until it is plain that two parties have it.
///
/// These apps refresh several times at once, and lose answers. So while nobody has used the successor, the predecessor is
/// answered with it again: whoever asks, there is only one line of tokens. Once the successor has called an API, the
/// predecessor is good only for a moment, and only from where the successor went; from elsewhere, later, or two
/// generations back, somebody else has it (RFC 9700 §4.14.2).
///
/// Decides only; the store holds the row locked meanwhile, so that two refreshes of one session cannot both rotate.
struct RefreshFamily: Sendable, Equatable {
    /// Seconds after a rotation in which a late second refresh of the same device is no theft.
    static let grace: TimeInterval = 60

    /// The newest refresh token's.
    var generation = 0
    var expiresAt: Date
    var rotatedAt: Date?
    /// The newest generation whose access token has called an API.
    var usedGeneration = 0
    /// Where the newest generation went.
    var holder = Origin()
    /// How the family ended; nil while it goes on.
    var endReason: Session.EndReason?

    /// What a presented refresh token leads to.
    enum Verdict: Sendable, Equatable {
        /// The newest token: the next generation replaces it.
        case rotate
        /// The newest token's predecessor: the same answer as then.
        case repeatAnswer
        /// An old token comes back: somebody else has it. The family ends.
        case reused
        /// The family was ended before; nil for a token that it never gave out.
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

    private func mayRepeat(for origin: Origin, now: Date) -> Bool {
        guard usedGeneration >= generation else { return true }
        guard let rotatedAt else { return false }
        return origin == holder && now.timeIntervalSince(rotatedAt) < Self.grace
    }
}

/// Where a call comes from, as far as can be told: the phone's address and its `User-Agent`.
struct Origin: Sendable, Equatable {
    var address: String?
    var userAgent: String?
}
