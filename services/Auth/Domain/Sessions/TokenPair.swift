/// What a sign-in or a refresh hands out. Both are JWTs with an `exp`; clients treat them as opaque, or read `exp`.
struct TokenPair: Sendable, Equatable, Codable {
    var accessToken: String
    var refreshToken: String
}

/// A pair, and the session that it belongs to.
struct IssuedTokens: Sendable, Equatable {
    var session: String
    var pair: TokenPair
}

/// How long tokens of an app live, in seconds.
struct TokenLifetimes: Sendable, Equatable {
    var access: Int
    var refresh: Int
}
