/// Errors of community operations.
enum CommunityError: Error, Sendable, Equatable {
    case postNotFound
    case commentNotFound
    /// The object belongs to another user.
    case notYours
    /// A validation error: a sentence that names the field.
    case rule(String)
    case personNotFound
    case eventNotFound
}
