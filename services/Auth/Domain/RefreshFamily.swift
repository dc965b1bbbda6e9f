import FoundationEssentials

/// The life of a session's refresh tokens: each is good once, except for the short time in which a client that lost the
/// answer, or that asked twice at once, is given the same successor again.
///
/// Decides only; the store holds the row locked meanwhile, so that two refreshes of one session cannot both rotate.
struct RefreshFamily: Sendable, Equatable {
    /// After a rotation, how long the predecessor is still answered with the successor.
    static let grace: TimeInterval = 60

    var generation: Int
    var expiresAt: Date
    var rotatedAt: Date?
    var endedAt: Date?

    /// What a presented refresh token leads to.
    enum Verdict: Sendable, Equatable {
        /// The newest token: the next generation replaces it.
        case rotate
        /// The newest token's predecessor, moments later: the same answer as then.
        case repeatAnswer
        /// An old token comes back: somebody else has it. The family ends.
        case reused
        /// The family was ended before.
        case ended
        case expired
    }

    func verdict(presented: Int, now: Date) -> Verdict {
        if endedAt != nil { return .ended }
        if now >= expiresAt { return .expired }
        if presented == generation { return .rotate }
        if presented == generation - 1, let rotatedAt, now.timeIntervalSince(rotatedAt) < Self.grace {
            return .repeatAnswer
        }
        return presented < generation ? .reused : .ended
    }
}
