/// Why something cannot be done (MOUP contract 1.2).
enum WorkforceError: Error, Sendable, Equatable {
    /// Not registered, or has left.
    case userNotFound
    case forbidden
    case workplaceNotFound
    /// No such worker, or the caller is none.
    case workerNotFound
    /// The worker is not paid by wage terms.
    case wageNotFound
    case shiftNotFound
    case routineNotFound
    /// This record may not be deleted.
    case undeletable
    case workplaceNameTaken
    case memberAlready
    case tooManyWorkplaces
    /// Already clocked in somewhere.
    case workingAlready
    case routineNameTaken
    /// A count or a span is beyond its limit; names it.
    case limit(String)
    /// A rule without a code of its own; says which.
    case rule(String)
    /// A field is missing, too long, or has no good value; says which.
    case field(String)
    /// Too many codes that were not there; seconds until the next may be tried.
    case tooManyTries(retryAfter: Int)
}
