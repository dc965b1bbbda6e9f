/// What an operator may do.
enum OperatorRole: String, Sendable, CaseIterable {
    /// Sees all pages.
    case look
    /// Changes things, too.
    case act
}

/// An operator that is signed in.
struct Operator: Sendable, Equatable {
    var name: String
    var role: OperatorRole
    /// What forms of this session carry.
    var form: String
}

/// What an operator has done.
struct Act: Sendable {
    var name: String
    /// As `retry event`.
    var act: String
    /// What it was done to, as `chat 4711`.
    var subject: String
    var reason: String
    var outcome: String
}
