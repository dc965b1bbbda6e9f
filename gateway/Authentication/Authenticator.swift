import AppWire
import Authentication
import Contracts
import NIOCore

/// Tells who shows a token. One per event loop; nothing in it waits.
final class Authenticator {
    /// What a token amounts to.
    enum Verdict {
        case accepted(Principal)
        /// It was good, and is past its time.
        case expired(AccessClaims)
        case refused(Problem.Kind)
        /// Signed with a key that is not known: worth asking for the published keys before deciding.
        case unknownKey
    }

    private let verifier: AccessTokenVerifier
    private let keys: PublishedKeys
    private let revocations: Revocations
    private let firstUses: FirstUses
    private let accounts: AccountBuckets
    private var cache: TokenCache
    private var revision = 0
    private(set) var hits = 0
    private(set) var misses = 0

    init(
        verifier: AccessTokenVerifier,
        keys: PublishedKeys,
        revocations: Revocations,
        firstUses: FirstUses,
        accounts: AccountBuckets,
        cacheLimit: Int
    ) {
        self.verifier = verifier
        self.keys = keys
        self.revocations = revocations
        self.firstUses = firstUses
        self.accounts = accounts
        self.cache = TokenCache(limit: cacheLimit)
    }

    /// - Parameters:
    ///   - token: the token without its scheme.
    ///   - app: the app whose route is called; a token of another is none at all.
    ///   - seconds: the time since 1970.
    func verdict(on token: ByteBuffer, for app: App, seconds: Int64, now: NIODeadline) -> Verdict {
        if let principal = cache.principal(for: token) {
            hits += 1
            guard principal.claims.app == app else { return .refused(.unauthenticated) }
            guard seconds - verifier.leeway < principal.claims.expiresAt else {
                cache.remove(token)
                return .expired(principal.claims)
            }
            return .accepted(principal)
        }
        misses += 1
        return verify(token, for: app, seconds: seconds, now: now)
    }

    private func verify(_ token: ByteBuffer, for app: App, seconds: Int64, now: NIODeadline) -> Verdict {
        do {
            // The time is judged here, not by the verifier: another app's token is never "expired".
            let claims = try verifier.verify(String(buffer: token), keys: keys.current.keys, now: 0)
            guard claims.app == app else { return .refused(.unauthenticated) }
            if let cause = revocations.cause(claims.session) { return .refused(Problem.Kind(cause)) }
            guard seconds - verifier.leeway < claims.expiresAt else { return .expired(claims) }
            let principal = Principal(claims: claims, bucket: accounts.bucket(of: claims.account, now: now))
            cache.insert(principal, for: token)
            firstUses.note(claims)
            return .accepted(principal)
        } catch .unknownKey {
            return .unknownKey
        } catch {
            return .refused(.unauthenticated)
        }
    }

    var cachedTokens: Int { cache.count }

    /// Forgets the tokens of sessions that ended.
    func forget(_ sessions: Set<String>) {
        cache.removeAll { sessions.contains($0.session) }
    }

    /// Forgets everything when the published keys have changed: a key that was taken back must not live on here.
    func followKeys() {
        let current = keys.current.revision
        guard current != revision else { return }
        revision = current
        cache.removeAll()
    }
}

extension Problem.Kind {
    /// What is said to somebody who shows a token of a session that ended.
    init(_ cause: AuthAPI.Revocations.Cause) {
        switch cause {
        case .ended: self = .unauthenticated
        case .leaving: self = .accountLeaving
        case .withdrawn: self = .accountGone
        }
    }
}
