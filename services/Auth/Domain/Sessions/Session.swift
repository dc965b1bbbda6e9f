import Contracts

/// A sign-in on a device.
struct Session: Sendable, Equatable {
    var id: String
    var account: AccountID
    var app: App
    var family: RefreshFamily

    /// The reason for the end of a session before its expiry.
    enum EndReason: String, Sendable {
        case signedOut = "signed_out"
        /// By the owner, from another device.
        case revoked
        /// A replaced refresh token was presented.
        case reused
        /// The owner has requested a withdrawal and may still cancel it (MOUP contract 1.5).
        case leaving
        case withdrawn
    }
}

/// The origin and the push token of a sign-in or a refresh.
struct Device: Sendable, Equatable {
    /// nil when the app sent no push token, or an empty one.
    var pushToken: String?
    var origin: Origin

    init(pushToken: String? = nil, address: String? = nil, userAgent: String? = nil) {
        self.pushToken = pushToken.flatMap { $0.isEmpty ? nil : $0 }
        self.origin = Origin(address: address, userAgent: userAgent.map { String($0.unicodeScalars.prefix(256)) })
    }
}

extension App {
    /// Whether a refresh replaces the refresh token. Seoul Culture's client stores only the new access token, so its
    /// refresh token stays the same (Culture contract 4.1).
    var rotatesRefreshTokens: Bool { self != .culture }
}
