/// A user's identity at a provider, verified by the provider.
struct SocialIdentity: Sendable, Equatable {
    enum Provider: String, Sendable, Codable {
        case kakao, apple, google
    }

    var provider: Provider
    /// The provider's stable id of the user: Kakao's number, Apple's and Google's `sub`.
    var subject: String
    /// An address that the provider has verified.
    var email: EmailAddress?
    /// The user's name at the provider.
    var name: String?
    /// The provider's refresh token, which revokes the link; nil when no code was exchanged.
    var refreshToken: String?
    /// The identity token, to be used once; nil where the provider itself enforces single use.
    var spent: SpentToken?
}
