import Contracts

/// A provider webhook about a user.
struct ProviderWebhook: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// The user has ended the link with the app. A later sign-in links the account again.
        case unlinked
        /// The user's account at the provider is deleted, and with it the means of signing in.
        case deleted
    }

    /// The same for each delivery of the same webhook.
    var id: String
    var app: App
    var provider: SocialIdentity.Provider
    /// The user's id at the provider.
    var subject: String
    var kind: Kind
}

/// A webhook as received, before verification.
struct ReceivedWebhook: Sendable, Equatable, Codable {
    /// Generated here, since not every provider sends an id.
    var id = PublicID.random().rawValue
    var app: App
    var provider: SocialIdentity.Provider
    /// Apple: `payload`, a signed JWT. Kakao: `app_id`, `user_id`, `referrer_type`.
    var fields: [String: String]
}
