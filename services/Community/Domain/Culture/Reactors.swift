import Contracts

/// Users who like a post, or have paid for it.
struct Reactors: Sendable, Equatable {
    /// Latest first, at most `limit`.
    var people: [PublicID]
    /// Whether the viewer is one of them.
    var isJoined: Bool

    /// Maximum number of users in a response: the app counts them and searches for its own ID (Culture contract 4.2).
    static let limit = 1000

    /// The users, which include the viewer if `isJoined`.
    func people(with viewer: PublicID) -> [PublicID] {
        guard isJoined, !people.contains(viewer) else { return people }
        return people.prefix(Self.limit - 1) + [viewer]
    }
}
