import FoundationEssentials

/// An identity token that is valid for one sign-in to an app, which prevents replay.
struct SpentToken: Sendable, Equatable {
    /// SHA-256 of the signed part of the token.
    var digest: [UInt8]
    /// The token's own expiry.
    var expiresAt: Date
}
