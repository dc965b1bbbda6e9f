/// Somebody whom a provider vouches for.
struct SocialIdentity: Sendable, Equatable {
    enum Provider: String, Sendable {
        case kakao, apple, google
    }

    var provider: Provider
    /// The provider's stable id of the person: Kakao's number, Apple's and Google's `sub`.
    var subject: String
}

/// Where a sign-in or a refresh comes from.
struct Device: Sendable, Equatable {
    /// The push token; nil when the app sent none, or an empty one.
    var pushToken: String?
    var address: String?
    var userAgent: String?

    init(pushToken: String? = nil, address: String? = nil, userAgent: String? = nil) {
        self.pushToken = pushToken.flatMap { $0.isEmpty ? nil : $0 }
        self.address = address
        self.userAgent = userAgent.map { String($0.prefix(256)) }
    }
}
