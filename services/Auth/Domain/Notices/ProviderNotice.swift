import Contracts

/// What a provider tells of a person without being asked.
struct ProviderNotice: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// The person has ended the link with our app. They may sign in again, which links them anew.
        case unlinked
        /// The person's account at the provider is gone, and with it the way to sign in.
        case deleted
    }

    /// The same when the same notice comes again.
    var id: String
    var app: App
    var provider: SocialIdentity.Provider
    /// Who the person is at the provider.
    var subject: String
    var kind: Kind
}

/// A notice as it came in, of which nothing is known but where.
struct ReceivedNotice: Sendable, Equatable, Codable {
    /// Ours, since not every provider numbers its notices.
    var id = PublicID.random()
    var app: App
    var provider: SocialIdentity.Provider
    /// Apple: `payload`, a signed JWT. Kakao: `app_id`, `user_id`, `referrer_type`.
    var fields: [String: String]
}
