import Contracts

/// A sign-in on a device.
struct Session: Sendable, Equatable {
    var id: String
    var account: Int64
    var app: App
    var family: RefreshFamily

    /// Why a session ended before its time.
    enum EndReason: String, Sendable {
        case signedOut = "signed_out"
        /// By its owner, from another device.
        case revoked
        /// A refresh token came back that had been replaced.
        case reused
        /// Its owner has asked to leave, and may still come back (MOUP contract 1.5).
        case leaving
        case withdrawn
    }
}

/// Where a sign-in or a refresh comes from, and how the device is reached.
struct Device: Sendable, Equatable {
    /// The push token; nil when the app sent none, or an empty one.
    var pushToken: String?
    var origin: Origin

    init(pushToken: String? = nil, address: String? = nil, userAgent: String? = nil) {
        self.pushToken = pushToken.flatMap { $0.isEmpty ? nil : $0 }
        self.origin = Origin(address: address, userAgent: userAgent.map { String($0.prefix(256)) })
    }
}

extension App {
    /// Whether a refresh replaces the refresh token. Seoul Culture's client stores the new access token alone, so its
    /// refresh token stays what it is (Culture contract 4.1).
    var rotatesRefreshTokens: Bool { self != .culture }
}
