import Contracts
import Providers

/// Ends the link between a person and one of our apps at the provider.
struct Unlinker: Sendable {
    let kakao: KakaoClient
    let apple: AppleClient
    let google: GoogleClient

    /// - Parameters:
    ///   - subject: who the person is there.
    ///   - token: the refresh token that the provider gave. Without one there is nothing by which Apple and Google could be
    ///     asked: the person ends the link in their own settings.
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
