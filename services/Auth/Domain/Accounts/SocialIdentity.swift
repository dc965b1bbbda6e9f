/// Somebody whom a provider vouches for.
struct SocialIdentity: Sendable, Equatable {
    enum Provider: String, Sendable, Codable {
        case kakao, apple, google
    }

    var provider: Provider
    /// The provider's stable id of the person: Kakao's number, Apple's and Google's `sub`.
    var subject: String
    /// An address that the provider has verified.
    var email: EmailAddress?
    /// What the person is called there.
    var name: String?
    /// What the link can be revoked with at the provider, when a code was exchanged.
    var refreshToken: String?
    /// The token by which the provider vouches; nil where the provider itself sees to it that it is good once.
    var spent: SpentToken?
}
