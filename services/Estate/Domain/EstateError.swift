/// Why something is refused.
enum EstateError: Error, Sendable, Equatable {
    case listingNotFound
    /// What breaks a rule, in a sentence that names the field.
    case rule(String)
    /// The same of one of several listings, by its index.
    case ruleOfListing(Int, String)
    /// Nobody who could have listings.
    case creatorNotFound
    /// Kakao does not answer, and nothing is known from before.
    case placesUnavailable
}
