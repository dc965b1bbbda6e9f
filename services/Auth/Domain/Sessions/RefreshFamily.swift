import FoundationEssentials
import Values

/// The refresh tokens of a session: each one is exchanged for one successor, and reuse by a second party is detected.
///
/// The apps send several refreshes at once, and lose responses. While the successor is unused, its predecessor is
/// therefore exchanged for the same successor, from any origin: there is only one line of tokens. A request that the
/// gateway has forwarded with the successor, in a silent refresh, is a use of it, although the client may never learn the
/// successor; from then on only origins that resemble that request's get it. Once a client has called an API with the
/// successor, the predecessor is accepted only within the grace period and only from an origin that obtained the
/// successor, if these resemble each other. From another origin, later, or two generations back, its use is treated as
/// theft (RFC 9700 §4.14.2). A device that changed networks between two requests has obtained it from two origins.
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
    /// The origins whose requests were forwarded with the newest generation in a silent refresh.
    var forwarders: Set<Origin> = []
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
    ///
    /// - Parameter isForwarded: Whether a request is forwarded with it.
    mutating func rotate(to origin: Origin, at now: Date, isForwarded: Bool = false) {
        generation += 1
        rotatedAt = now
        holders = [origin]
        forwarders = isForwarded ? [origin] : []
    }

    /// Adds an origin that obtained the newest generation.
    ///
    /// - Parameter isForwarded: Whether a request is forwarded with it.
    mutating func repeatAnswer(to origin: Origin, isForwarded: Bool = false) {
        if holders.count < Self.holderLimit { holders.insert(origin) }
        if isForwarded, forwarders.count < Self.holderLimit { forwarders.insert(origin) }
    }

    /// Decides whether the access token of a repeated answer is replaced by a new one, so that a late request also gets
    /// one with a sufficient remaining lifetime. The grace period then begins again: while the successor is unused, this
    /// may be the first answer that arrives, and other requests may have been sent before it.
    ///
    /// - Parameter accessLifetime: The lifetime of access tokens, in seconds.
    mutating func renewAnswer(at now: Date, accessLifetime: TimeInterval) -> Bool {
        let age = rotatedAt.map(now.timeIntervalSince) ?? .infinity
        let limit = usedGeneration < generation ? Self.grace / 2 : Self.grace
        guard age > min(limit, accessLifetime / 2) else { return false }
        rotatedAt = now
        return true
    }

    /// Whether an origin resembles none that the tokens were given to.
    func isUnfamiliar(_ origin: Origin) -> Bool {
        !holders.isEmpty && !holders.contains { $0.resembles(origin) }
    }

    private func mayRepeat(for origin: Origin, now: Date) -> Bool {
        guard !Sabotage.refreshWithoutGrace.isBuiltIn else { return false }
        guard forwarders.allSatisfy({ $0.resembles(origin) }) else { return false }
        guard usedGeneration >= generation else { return true }
        guard let rotatedAt else { return false }
        // Of two parties that obtained the successor, one may have used it without the other's knowledge.
        return holders.contains(origin) && holders.allSatisfy { $0.resembles(origin) }
            && now.timeIntervalSince(rotatedAt) < Self.grace
    }
}

/// The origin of a request: the client's address and its `User-Agent`, as far as known.
struct Origin: Sendable, Equatable, Hashable {
    var address: String?
    var userAgent: String?

    /// Whether both may be one device, which may have changed networks or updated its app, but hardly both at once.
    func resembles(_ other: Origin) -> Bool {
        self == other || (address != nil && address == other.address)
            || (userAgent != nil && userAgent == other.userAgent)
    }
}
