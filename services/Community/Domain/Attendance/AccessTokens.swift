import Authentication
import Contracts
import FoundationEssentials

/// Verifies access tokens that a web page sends itself, without verification by the gateway.
struct AccessTokens: Sendable {
    let keys: PublishedKeys
    let app: App
    let now: @Sendable () -> Date
    private let verifier = AccessTokenVerifier()

    init(of app: App, keys: PublishedKeys, now: @escaping @Sendable () -> Date) {
        self.app = app
        self.keys = keys
        self.now = now
    }

    /// - Throws: `AttendanceError`.
    func account(of token: String) async throws(AttendanceError) -> AccountID {
        do throws(TokenProblem) {
            return try verify(token)
        } catch .unknownKey {
            guard await keys.refetch() == .fresh else { throw .notNow }
        } catch {
            throw AttendanceError(error)
        }
        do throws(TokenProblem) {
            return try verify(token)
        } catch {
            throw AttendanceError(error)
        }
    }

    private func verify(_ token: String) throws(TokenProblem) -> AccountID {
        let seconds = Int64(now().timeIntervalSince1970)
        let claims: AccessClaims
        do throws(TokenProblem) {
            claims = try verifier.verify(token, keys: keys.current.keys, now: seconds)
        } catch {
            throw error
        }
        guard claims.app == app else { throw .wrongType }
        return claims.account
    }
}

extension AttendanceError {
    fileprivate init(_ problem: TokenProblem) {
        self = problem == .expired ? .accessExpired : .tokenUnknown
    }
}
