/// Ends the link between a person and one of our apps at the provider.
struct Unlinker: Sendable {
    /// - Parameters:
    ///   - subject: who the person is there.
    ///   - token: the refresh token that the provider gave, if it did.
    func unlink(_ provider: SocialIdentity.Provider, subject: String, token: String?) async throws {}
}
