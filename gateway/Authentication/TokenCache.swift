import Authentication
import Contracts
import NIOCore

/// An authenticated user: the verified claims and cached data that live until the access token expires.
final class Principal {
    let claims: AccessClaims
    /// The rate limit of the account, shared by its tokens and by all event loops.
    let bucket: TokenBucket
    let identity: IdentityLine

    init(claims: AccessClaims, bucket: TokenBucket) {
        self.claims = claims
        self.bucket = bucket
        identity = IdentityLine(
            InternalIdentity(caller: .gateway, app: claims.app, account: claims.account, session: claims.session)
        )
    }
}

/// The verified tokens of one event loop, found by hash and compared in full.
///
/// The size is bounded by two generations. When the young one is full, or after a while, it replaces the old one; a used entry
/// moves back to the young one. Recently used entries are kept this way without bookkeeping on each use.
struct TokenCache<Value> {
    private var young: [ByteBuffer: Value] = [:]
    private var old: [ByteBuffer: Value] = [:]
    private let limit: Int

    /// - Parameter limit: The maximum number of tokens per generation.
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

    /// - Parameter token: The token; it is copied, so that the cache does not retain a larger buffer.
    mutating func insert(_ value: Value, for token: ByteBuffer) {
        if young.count >= limit { age() }
        young[ByteBuffer(bytes: token.readableBytesView)] = value
    }

    /// Begins a generation, and drops what was not used in the last one.
    mutating func age() {
        old = young
        young = [:]
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
