import AppWire
import Authentication
import Contracts
import NIOCore

/// Tells who shows a token. One per event loop; nothing in it waits.
final class Authenticator {
    /// What an access token amounts to.
    enum Verdict {
        case accepted(Principal)
        /// It was good, and is past its time.
        case expired(AccessClaims)
        case refused(Problem.Kind)
        /// Signed with a key that is not known: worth asking for the published keys before deciding.
        case unknownKey
    }

    /// What a refresh token amounts to, as far as can be told without the auth service.
    enum RefreshVerdict {
        case worthAsking(RefreshClaims)
        case refused(AuthAPI.Refreshed.Refusal)
        case unknownKey
    }

    private let verifier: AccessTokenVerifier
    private let refreshVerifier = RefreshTokenVerifier()
    private let keys: PublishedKeys
    private let revocations: Revocations
    private let firstUses: FirstUses
    private let accounts: AccountBuckets
    private var cache: TokenCache<Principal>
    /// Access tokens that refreshes gave out, and that no phone has shown yet.
    private var renewed = TokenCache<Principal>(limit: Authenticator.passingLimit)
    /// Access tokens past their time, and refresh tokens: shown by many requests at once while they are renewed.
    private var lapsed = TokenCache<AccessClaims>(limit: Authenticator.passingLimit)
    private var refreshing = TokenCache<RefreshClaims>(limit: Authenticator.passingLimit)
    private var revision = 0
    private(set) var hits = 0
    private(set) var misses = 0

    /// How many tokens are remembered that matter for a moment only.
    private static let passingLimit = 1_000

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
        if let principal = cache.value(for: token) {
            hits += 1
            guard principal.claims.app == app else { return .refused(.unauthenticated) }
            guard isGood(principal.claims, seconds) else {
                cache.remove(token)
                lapsed.insert(principal.claims, for: token)
                return .expired(principal.claims)
            }
            return .accepted(principal)
        }
        misses += 1
        if let claims = lapsed.value(for: token), claims.app == app, !isGood(claims, seconds) {
            return .expired(claims)
        }
        let verdict =
            renewed.value(for: token).map { judge($0, app, seconds) }
            ?? verify(token, for: app, seconds: seconds, now: now)
        switch verdict {
        case .accepted(let principal):
            cache.insert(principal, for: token)
            firstUses.note(principal.claims)
        case .expired(let claims): lapsed.insert(claims, for: token)
        case .refused, .unknownKey: break
        }
        return verdict
    }

    /// The same for a token that has just come from the auth service. The phone has not shown it, and may never get it, so
    /// this is not its first use.
    func verdict(onRenewed token: ByteBuffer, for app: App, seconds: Int64, now: NIODeadline) -> Verdict {
        if let principal = renewed.value(for: token) ?? cache.value(for: token) {
            return judge(principal, app, seconds)
        }
        let verdict = verify(token, for: app, seconds: seconds, now: now)
        if case .accepted(let principal) = verdict { renewed.insert(principal, for: token) }
        return verdict
    }

    private func judge(_ principal: Principal, _ app: App, _ seconds: Int64) -> Verdict {
        guard principal.claims.app == app else { return .refused(.unauthenticated) }
        return isGood(principal.claims, seconds) ? .accepted(principal) : .expired(principal.claims)
    }

    private func isGood(_ claims: AccessClaims, _ seconds: Int64) -> Bool {
        seconds - verifier.leeway < claims.expiresAt
    }

    private func verify(_ token: ByteBuffer, for app: App, seconds: Int64, now: NIODeadline) -> Verdict {
        do {
            // The time is judged here, not by the verifier: another app's token is never "expired".
            let claims = try verifier.verify(String(buffer: token), keys: keys.current.keys, now: 0)
            guard claims.app == app else { return .refused(.unauthenticated) }
            if let cause = revocations.cause(claims.session) { return .refused(Problem.Kind(cause)) }
            guard isGood(claims, seconds) else { return .expired(claims) }
            return .accepted(Principal(claims: claims, bucket: accounts.bucket(of: claims.account, now: now)))
        } catch .unknownKey {
            return .unknownKey
        } catch {
            return .refused(.unauthenticated)
        }
    }

    /// - Parameters:
    ///   - token: the refresh token as it was presented.
    ///   - app: the app whose route is called.
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
            return seconds < claims.expiresAt ? .worthAsking(claims) : .refused(.expired)
        } catch TokenProblem.unknownKey {
            return .unknownKey
        } catch {
            return .refused(.invalid)
        }
    }

    var cachedTokens: Int { cache.count }

    /// Forgets the tokens of sessions that ended.
    func forget(_ sessions: Set<String>) {
        cache.removeAll { sessions.contains($0.claims.session) }
        renewed.removeAll { sessions.contains($0.claims.session) }
        lapsed.removeAll { sessions.contains($0.session) }
    }

    /// Forgets everything when the published keys have changed: a key that was taken back must not live on here.
    func followKeys() {
        let current = keys.current.revision
        guard current != revision else { return }
        revision = current
        cache.removeAll()
        renewed.removeAll()
        lapsed.removeAll()
        refreshing.removeAll()
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

extension AuthAPI.Refreshed.Refusal {
    fileprivate init(_ cause: AuthAPI.Revocations.Cause) {
        switch cause {
        case .ended: self = .invalid
        case .leaving: self = .leaving
        case .withdrawn: self = .gone
        }
    }
}
