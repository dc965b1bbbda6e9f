/// The tokens of a sign-in or a refresh. Both are JWTs with an `exp`; clients treat them as opaque, or read `exp`.
struct TokenPair: Sendable, Equatable, Codable {
    var accessToken: String
    var refreshToken: String
}

/// A token pair with its session.
struct IssuedTokens: Sendable, Equatable {
    var session: String
    var pair: TokenPair
}

/// Lifetimes of an app's tokens, in seconds.
struct TokenLifetimes: Sendable, Equatable {
    var access: Int
    var refresh: Int
}
