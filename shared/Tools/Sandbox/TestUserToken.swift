/// A token or code of a test user, `test-user-<id>`, which can be used at any time and any number of times. Tools that cannot
/// call a control first sign in with it.
enum TestUserToken {
    private static let prefix = "test-user-"

    /// The user's id; nil for another text.
    static func user(_ text: String) -> String? {
        text.hasPrefix(prefix) && text.count > prefix.count ? String(text.dropFirst(prefix.count)) : nil
    }
}
