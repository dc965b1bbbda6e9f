import Authentication
import NIOCore

/// Somebody whose access token was verified, and what is worth keeping about them until it expires.
final class Principal {
    let claims: AccessClaims
    /// The bucket of the account, shared with its other tokens and the other event loops.
    let bucket: TokenBucket
    var identity = IdentityLine()

    init(claims: AccessClaims, bucket: TokenBucket) {
        self.claims = claims
        self.bucket = bucket
    }
}

/// Verified tokens of one event loop, found by hash and compared in full.
///
/// Bounded by two generations: when the young one is full it becomes the old one and the old one is forgotten; what is
/// used moves back to the young one. So what was used recently stays, without bookkeeping on each use.
struct TokenCache<Value> {
    private var young: [ByteBuffer: Value] = [:]
    private var old: [ByteBuffer: Value] = [:]
    private let limit: Int

    /// - Parameter limit: the most tokens of a generation.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    var count: Int { young.count + old.count }

    mutating func value(for token: ByteBuffer) -> Value? {
        if let value = young[token] { return value }
        guard let value = old.removeValue(forKey: token) else { return nil }
        insert(value, for: token)
        return value
    }

    /// - Parameter token: copied, so that the cache keeps no larger buffer alive.
    mutating func insert(_ value: Value, for token: ByteBuffer) {
        if young.count >= limit {
            old = young
            young = [:]
        }
        young[ByteBuffer(bytes: token.readableBytesView)] = value
    }

    mutating func remove(_ token: ByteBuffer) {
        young[token] = nil
        old[token] = nil
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
    }

    mutating func removeAll(where condition: (Value) -> Bool) {
        young = young.filter { !condition($0.value) }
        old = old.filter { !condition($0.value) }
    }
}
