import FoundationEssentials

/// The life of a session's refresh tokens: each is good once, and leads to one successor however often it is presented,
/// until it is plain that two parties have it.
///
/// These apps refresh several times at once, and lose answers. So while nobody has used the successor, the predecessor is
/// answered with it again: whoever asks, there is only one line of tokens. Once the successor has called an API, the
/// predecessor is good only for a moment, and only from where the successor was obtained; from elsewhere, later, or two
/// generations back, somebody else has it (RFC 9700 §4.14.2). A phone that changed networks between two requests obtained
/// it from two places.
///
/// Decides only; the store holds the row locked meanwhile, so that two refreshes of one session cannot both rotate.
struct RefreshFamily: Sendable, Equatable {
    /// Seconds after a rotation in which a late second refresh of the same device is no theft.
    static let grace: TimeInterval = 60
    /// Places that are remembered of one generation.
    static let holderLimit = 8

    /// The newest refresh token's.
    var generation = 0
    var expiresAt: Date
    var rotatedAt: Date?
    /// The newest generation whose access token has called an API.
    var usedGeneration = 0
    /// From where the newest generation was obtained.
    var holders: Set<Origin> = []
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

    /// The next generation goes out.
    mutating func rotate(to origin: Origin, at now: Date) {
        generation += 1
        rotatedAt = now
        holders = [origin]
    }

    /// The newest generation goes out once more.
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

/// Where a call comes from, as far as can be told: the phone's address and its `User-Agent`.
struct Origin: Sendable, Equatable, Hashable {
    var address: String?
    var userAgent: String?
}
