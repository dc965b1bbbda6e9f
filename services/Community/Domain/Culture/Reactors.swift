/// Users who like a post, or have paid for it.
struct Reactors: Sendable, Equatable {
    /// Public IDs, latest first, at most `limit`.
    var people: [String]
    /// Whether the viewer is one of them.
    var isJoined: Bool

    /// Maximum number of users in a response: the app counts them and searches for its own ID (Culture contract 4.2).
    static let limit = 1000

    /// The public IDs, which include the viewer's if `isJoined`.
    ///
    /// - Parameter viewer: Public ID.
    func people(with viewer: String) -> [String] {
        guard isJoined, !people.contains(viewer) else { return people }
        return people.prefix(Self.limit - 1) + [viewer]
    }
}
