import Contracts
import Crypto
import FoundationEssentials

/// A past, current or future signing key.
struct SigningKey: Sendable {
    /// The token header's `kid`.
    var id: String
    var key: P256.Signing.PrivateKey
    /// The key signs from this time until the next key is active.
    var activeAt: Date

    static func generate(activeAt: Date) -> SigningKey {
        SigningKey(id: PublicID.random().rawValue, key: P256.Signing.PrivateKey(), activeAt: activeAt)
    }
}

/// The rotation schedule of signing keys.
struct KeySchedule: Sendable, Equatable {
    /// Seconds for which a key signs.
    var period: TimeInterval
    /// Seconds for which a key is published before it signs; longer than verifiers cache the key set.
    var lead: TimeInterval
    /// Seconds for which a key is kept after its last signature: the lifetime of a refresh token.
    var afterlife: TimeInterval

    /// Whether the next key is due.
    func needsNext(after keys: [SigningKey], now: Date) -> Bool {
        guard let newest = keys.map(\.activeAt).max() else { return true }
        return now >= newest + period - lead
    }

    /// The activation time of a key generated now: at once if there is none.
    func activation(after keys: [SigningKey], now: Date) -> Date {
        keys.isEmpty ? now : now + lead
    }

    /// Keys that became active before this time have signed no unexpired token, unless one is the current key.
    func forgettable(now: Date) -> Date {
        now - period - afterlife
    }
}
