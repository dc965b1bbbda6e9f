/// Why something about companion posts is refused.
enum CompanionError: Error, Sendable, Equatable {
    case postNotFound
    /// Somebody else's post.
    case notYours
    case priceOutOfRange
    case ageUnknown
    case regionUnknown
    case requestUnknown
}
