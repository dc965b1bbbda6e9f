/// Why something is refused.
enum CommunityError: Error, Sendable, Equatable {
    case postNotFound
    case commentNotFound
    /// Somebody else's.
    case notYours
    /// What breaks a rule, in a sentence that names the field.
    case rule(String)
    case personNotFound
    case eventNotFound
}
