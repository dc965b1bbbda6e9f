/// Some of those who have to do with a post: who likes it, who has paid for it.
struct Company: Sendable, Equatable {
    /// Public ids, the latest first, `limit` at most.
    var people: [String]
    /// Whether who looks is one of them.
    var isJoined: Bool

    /// So many are told of: the app counts them, and looks for itself among them (Culture contract 4.2).
    static let limit = 1000

    /// - Parameter viewer: who looks, if they are of the company: they are among those who are told of.
    func people(with viewer: String) -> [String] {
        guard isJoined, !people.contains(viewer) else { return people }
        return people.prefix(Self.limit - 1) + [viewer]
    }
}
