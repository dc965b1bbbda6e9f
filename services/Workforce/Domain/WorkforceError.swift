/// The errors of the service (MOUP contract 1.2).
enum WorkforceError: Error, Sendable, Equatable {
    /// The user is not registered, or is withdrawn.
    case userNotFound
    case forbidden
    case workplaceNotFound
    /// There is no such worker, or the caller is not a worker there.
    case workerNotFound
    /// The worker has no wage terms.
    case wageNotFound
    case shiftNotFound
    case routineNotFound
    /// This record cannot be deleted.
    case undeletable
    case workplaceNameTaken
    case memberAlready
    case tooManyWorkplaces
    /// The user is already clocked in at a workplace.
    case workingAlready
    case routineNameTaken
    /// A count or a span exceeds its limit; with a text about it.
    case limit(String)
    /// Another rule is violated; with a text about it.
    case rule(String)
    /// A field is missing, too long, or invalid; with a text about it.
    case field(String)
    /// Too many invalid invite codes; in seconds until the next attempt.
    case tooManyTries(retryAfter: Int)
}
