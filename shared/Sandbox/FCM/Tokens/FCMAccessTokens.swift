import FoundationEssentials
import Synchronization

/// The access tokens that were given out. Each is good for one project, for an hour.
final class FCMAccessTokens: Sendable {
    /// In seconds; Google says one less than an hour.
    static let lifetime = 3599

    private struct Grant {
        var project: String
        var expiresAt: Date
    }

    private let grants = Mutex<[String: Grant]>([:])

    /// A token with which messages can be sent to a project's phones.
    ///
    /// - Parameter now: when it is given out.
    func give(project: String, at now: Date = .now) -> String {
        let token = RandomToken.make(prefix: "ya29.c.")
        let grant = Grant(project: project, expiresAt: now + Double(Self.lifetime))
        grants.withLock { grants in
            // Whoever asks gets to know that a token is past its time for as long again as it was good.
            grants = grants.filter { $0.value.expiresAt > now - Double(Self.lifetime) }
            grants[token] = grant
        }
        return token
    }

    /// - Throws: `FCMError`: 401 for a token that is missing, unknown or past its time, 403 for another project's.
    func check(_ token: String?, project: String) throws(FCMError) {
        guard let token else { throw .unauthenticated("CREDENTIALS_MISSING") }
        guard let grant = grants.withLock({ $0[token] }) else { throw .unauthenticated("ACCESS_TOKEN_INVALID") }
        guard grant.expiresAt > .now else { throw .unauthenticated("ACCESS_TOKEN_EXPIRED") }
        guard grant.project == project else { throw .denied(project: project) }
    }

    /// Every token's time is over at once.
    func expire() {
        grants.withLock { $0 = $0.mapValues { Grant(project: $0.project, expiresAt: .now) } }
    }
}
