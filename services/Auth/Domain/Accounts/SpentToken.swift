import FoundationEssentials

/// An identity token that is good for one sign-in to an app, however often somebody who has read it presents it.
struct SpentToken: Sendable, Equatable {
    /// SHA-256 of what is signed.
    var digest: [UInt8]
    /// When the token itself ends.
    var expiresAt: Date
}
