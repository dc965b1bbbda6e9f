import Apps
import Authentication
import Contracts
import NIOCore
import Values

/// Verifies tokens. There is one per event loop, and it never blocks.
final class Authenticator {
    /// The result of verifying an access token.
    enum AuthenticationResult {
        case accepted(Principal)
        /// The token is valid but has expired.
        case expired(AccessClaims)
        case refused(Problem.Kind)
        /// The token's signing key is unknown: fetch the published keys before deciding.
        case unknownKey
    }

    /// The result of checking a refresh token locally, without the auth service.
    enum RefreshVerdict {
        case plausible(RefreshClaims)
        case refused(AuthAPI.Refreshed.Refusal)
        case unknownKey
    }

    private let verifier: AccessTokenVerifier
    private let refreshVerifier = RefreshTokenVerifier()
    private let keys: PublishedKeys
    private let revocations: Revocations
    private let firstUses: TokenUsageReporter
    private let accounts: AccountBuckets
    private var cache: TokenCache<Principal>
    /// Access tokens issued by refreshes that no client has presented yet.
    private var renewed = TokenCache<Principal>(limit: Authenticator.passingLimit)
    /// Expired access tokens, and refresh tokens: many concurrent requests present them while they are renewed.
    private var expired = TokenCache<AccessClaims>(limit: Authenticator.passingLimit)
    private var refreshing = TokenCache<RefreshClaims>(limit: Authenticator.passingLimit)
    private var revision = 0
    /// The revision of the revocations that the caches follow.
    private var revoked = 0
    private var generationBegan = NIODeadline.now()
    private(set) var hits = 0
    private(set) var misses = 0

    /// The maximum size of the caches for tokens that matter only briefly.
    private static let passingLimit = 1_000
    /// A token that is not used for this time, or at most twice as long, is forgotten: most have been renewed by then.
    private static let generation = TimeAmount.minutes(10)

    init(
        verifier: AccessTokenVerifier,
        keys: PublishedKeys,
        revocations: Revocations,
        firstUses: TokenUsageReporter,
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
    ///   - token: The token without its scheme.
    ///   - app: The app of the route; a token of another app is refused.
    ///   - seconds: Seconds since 1970.
    func verdict(on token: ByteBuffer, for app: App, seconds: Int64, now: NIODeadline) -> AuthenticationResult {
        followRevocations()
        if let principal = cache.value(for: token) {
            hits += 1
            guard principal.claims.app == app else { return .refused(.accessMistyped) }
            guard isCurrent(principal.claims, seconds) else {
                cache.remove(token)
                expired.insert(principal.claims, for: token)
                return .expired(principal.claims)
            }
            return .accepted(principal)
        }
        misses += 1
        if let claims = expired.value(for: token), claims.app == app, !isCurrent(claims, seconds) {
            return .expired(claims)
        }
        let verdict =
            renewed.value(for: token).map { check($0, app, seconds) }
            ?? verify(token, for: app, seconds: seconds, now: now)
        switch verdict {
        case .accepted(let principal):
            cache.insert(principal, for: token)
            firstUses.note(principal.claims)
        case .expired(let claims): expired.insert(claims, for: token)
        case .refused, .unknownKey: break
        }
        return verdict
    }

    /// The result for a token just issued by the auth service. It does not count as the token's first use, because the
    /// client may never receive it.
    func verdict(onRenewed token: ByteBuffer, for app: App, seconds: Int64, now: NIODeadline) -> AuthenticationResult {
        followRevocations()
        if let principal = renewed.value(for: token) ?? cache.value(for: token) {
            return check(principal, app, seconds)
        }
        let verdict = verify(token, for: app, seconds: seconds, now: now)
        if case .accepted(let principal) = verdict { renewed.insert(principal, for: token) }
        return verdict
    }

    private func check(_ principal: Principal, _ app: App, _ seconds: Int64) -> AuthenticationResult {
        guard principal.claims.app == app else { return .refused(.accessMistyped) }
        return isCurrent(principal.claims, seconds) ? .accepted(principal) : .expired(principal.claims)
    }

    private func isCurrent(_ claims: AccessClaims, _ seconds: Int64) -> Bool {
        seconds - verifier.leeway < claims.expiresAt
    }

    private func verify(_ token: ByteBuffer, for app: App, seconds: Int64, now: NIODeadline) -> AuthenticationResult {
        do {
            // Expiry is checked here and not by the verifier, so that another app's token is never reported as expired.
            let claims = try verifier.verify(
                String(buffer: token),
                keys: keys.current.keys,
                now: seconds,
                checksExpiry: false
            )
            guard claims.app == app else { return .refused(.accessMistyped) }
            if let cause = revocations.cause(claims.session) { return .refused(Problem.Kind(cause)) }
            guard isCurrent(claims, seconds) else { return .expired(claims) }
            return .accepted(Principal(claims: claims, bucket: accounts.bucket(of: claims.account, now: now)))
        } catch .unknownKey {
            return .unknownKey
        } catch {
            return .refused(Problem.Kind(error))
        }
    }

    /// - Parameters:
    ///   - token: The refresh token as presented.
    ///   - app: The app of the route.
    func refreshVerdict(on token: ByteBuffer, for app: App, seconds: Int64) -> RefreshVerdict {
        do {
            let claims: RefreshClaims
            if let known = refreshing.value(for: token) {
                claims = known
            } else {
                claims = try refreshVerifier.verify(String(buffer: token), keys: keys.current.keys)
                refreshing.insert(claims, for: token)
            }
            guard claims.app == app else { return .refused(.invalid) }
            if let cause = revocations.cause(claims.session) { return .refused(AuthAPI.Refreshed.Refusal(cause)) }
            return seconds < claims.expiresAt ? .plausible(claims) : .refused(.expired)
        } catch TokenProblem.unknownKey {
            return .unknownKey
        } catch {
            return .refused(.invalid)
        }
    }

    var cachedTokens: Int { cache.count }

    /// Forgets the verified tokens of sessions that have ended since the last call.
    private func followRevocations() {
        guard revocations.revision != revoked else { return }
        let (ended, current) = revocations.added(after: revoked)
        revoked = current
        guard let ended else { return removeAll() }
        if !Sabotage.revokedTokenCached.isBuiltIn { cache.removeAll { ended.contains($0.claims.session) } }
        renewed.removeAll { ended.contains($0.claims.session) }
        expired.removeAll { ended.contains($0.session) }
    }

    /// Clears the caches when the published keys have changed, so that tokens of a withdrawn key are verified again.
    func followKeys() {
        let current = keys.current.revision
        guard current != revision else { return }
        revision = current
        removeAll()
    }

    /// Forgets tokens that have not been used for a while.
    func age(now: NIODeadline) {
        guard now - generationBegan >= Self.generation else { return }
        generationBegan = now
        cache.age()
        renewed.age()
        expired.age()
        refreshing.age()
    }

    private func removeAll() {
        cache.removeAll()
        renewed.removeAll()
        expired.removeAll()
        refreshing.removeAll()
    }
}

extension Problem.Kind {
    /// The problem reported for a token that is refused.
    fileprivate init(_ problem: TokenProblem) {
        switch problem {
        case .malformed: self = .accessMalformed
        case .wrongType: self = .accessMistyped
        case .unsupported: self = .accessUnsupported
        case .unknownKey, .badSignature, .notYetValid: self = .accessUnverified
        case .expired: self = .accessExpired
        }
    }

    /// The problem reported for a token of an ended session.
    init(_ cause: AuthAPI.Revocations.Cause) {
        switch cause {
        case .ended: self = .unauthenticated
        case .leaving: self = .accountLeaving
        case .withdrawn: self = .accountGone
        }
    }
}

extension AuthAPI.Refreshed.Refusal {
    fileprivate init(_ cause: AuthAPI.Revocations.Cause) {
        switch cause {
        case .ended: self = .invalid
        case .leaving: self = .leaving
        case .withdrawn: self = .gone
        }
    }
}
