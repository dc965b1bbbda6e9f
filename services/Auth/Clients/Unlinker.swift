import Contracts
import ServiceKit

/// Ends the link between a user and one of our apps at the provider.
struct Unlinker: Sendable {
    let kakao: KakaoClient
    let apple: AppleClient
    let google: GoogleClient

    /// - Parameters:
    ///   - subject: the user's id at the provider.
    ///   - token: the provider's refresh token. Without it the link cannot be ended at Apple or Google: the user has to
    ///     end it in the account's settings.
    /// - Throws: `ProviderUnavailable`.
    func unlink(
        _ provider: SocialIdentity.Provider,
        app: App,
        subject: String,
        token: String?
    ) async throws {
        switch provider {
        case .kakao: try await kakao.unlink(subject: subject)
        case .apple: if let token { try await apple.revoke(refreshToken: token, app: app) }
        case .google: if let token { try await google.revoke(token: token) }
        }
    }
}
