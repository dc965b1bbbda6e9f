/// Why something is refused.
enum ChatError: Error, Sendable, Equatable {
    case roomNotFound
    /// A room of others.
    case notAMember
    case messageNotFound
    /// Somebody else's message.
    case notYours
    /// There is nobody to talk to: never was, or has left.
    case personNotFound
    /// One of the two has blocked the other.
    case blocked
    /// What breaks a rule, in a sentence that names the field.
    case rule(String)
}
