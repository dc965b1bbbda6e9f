import FoundationEssentials
import Synchronization

/// The issued access tokens. Each is valid for one project, for an hour.
final class FCMAccessTokens: Sendable {
    /// In seconds; Google returns one second less than an hour.
    static let lifetime = 3599

    private struct Grant {
        var project: String
        var expiresAt: Date
    }

    private let grants = Mutex<[String: Grant]>([:])

    /// Issues an access token for a project.
    ///
    /// - Parameter now: The time of issue.
    func give(project: String, at now: Date = .now) -> String {
        let token = RandomToken.make(prefix: "ya29.c.")
        let grant = Grant(project: project, expiresAt: now + Double(Self.lifetime))
        grants.withLock { grants in
            // Expired tokens are kept for another lifetime, so that they are reported as expired.
            grants = grants.filter { $0.value.expiresAt > now - Double(Self.lifetime) }
            grants[token] = grant
        }
        return token
    }

    /// - Throws: `FCMError`: 401 for a token that is missing, unknown or expired, 403 for another project's.
    func check(_ token: String?, project: String) throws(FCMError) {
        guard let token else { throw .unauthenticated("CREDENTIALS_MISSING") }
        guard let grant = grants.withLock({ $0[token] }) else { throw .unauthenticated("ACCESS_TOKEN_INVALID") }
        guard grant.expiresAt > .now else { throw .unauthenticated("ACCESS_TOKEN_EXPIRED") }
        guard grant.project == project else { throw .denied(project: project) }
    }

    func expire() {
        grants.withLock { $0 = $0.mapValues { Grant(project: $0.project, expiresAt: .now) } }
    }
}
