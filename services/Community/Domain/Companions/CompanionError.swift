/// Errors of companion posts.
enum CompanionError: Error, Sendable, Equatable {
    case postNotFound
    /// The post belongs to another user.
    case notYours
    case priceOutOfRange
    case ageUnknown
    case regionUnknown
    case requestUnknown
}
