/// Errors of estate operations.
enum EstateError: Error, Sendable, Equatable {
    case listingNotFound
    /// A validation error: a sentence that names the field.
    case rule(String)
    /// A validation error of one of several listings, by its index.
    case ruleOfListing(Int, String)
    /// The creator is unknown or has withdrawn.
    case creatorNotFound
    /// Kakao is unavailable, and no response is cached.
    case placesUnavailable
    /// The day's budget of requests to Kakao is used up, and no response is cached.
    case placesExhausted
}
