import Contracts
import Crypto
import FoundationEssentials

/// A key that signs, signed or will sign tokens.
struct SigningKey: Sendable {
    /// The token header's `kid`.
    var id: String
    var key: P256.Signing.PrivateKey
    /// Signs from here until the next key is active.
    var activeAt: Date

    static func generate(activeAt: Date) -> SigningKey {
        SigningKey(id: PublicID.random(), key: P256.Signing.PrivateKey(), activeAt: activeAt)
    }
}

/// When keys begin and end.
struct KeySchedule: Sendable, Equatable {
    /// How long a key signs, in seconds.
    var period: TimeInterval
    /// How long a key is published before it signs, in seconds; longer than verifiers keep their copy.
    var lead: TimeInterval
    /// How long after its last signature a key is still needed: the life of a refresh token, in seconds.
    var afterlife: TimeInterval

    /// Whether the next key has to be made now.
    func needsNext(after keys: [SigningKey], now: Date) -> Bool {
        guard let newest = keys.map(\.activeAt).max() else { return true }
        return now >= newest + period - lead
    }

    /// When a key that is made now becomes active: at once when there is none.
    func activation(after keys: [SigningKey], now: Date) -> Date {
        keys.isEmpty ? now : now + lead
    }

    /// Keys that became active before this have signed nothing that is still alive, unless they are the signing key.
    func forgettable(now: Date) -> Date {
        now - period - afterlife
    }
}
