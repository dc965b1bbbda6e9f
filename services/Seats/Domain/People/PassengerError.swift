/// Errors of riding statuses, reports and favorites.
enum PassengerError: Error, Sendable, Equatable {
    /// The token belongs to a withdrawn account.
    case withdrawn
    /// The named user is not a passenger, or is withdrawn.
    case userNotFound
    case statusNotFound
    case tagNotFound
    case reportNotFound
    /// The report belongs to another passenger, or all reports were requested.
    case reportForbidden
    case reportOfOneself
    /// The caller has already reported this user for this reason.
    case reportRepeated
    case favoriteNotFound
    case favoriteForbidden
    /// The caller has another favorite between these stations.
    case favoriteTaken
    case favoritesFull
    case stationNotFound
    /// The stations are on different lines, or are the same.
    case stationsUnfit
    /// A field is blank, too long, or has a control character.
    case textInvalid(field: String, limit: Int)
    case numberInvalid(field: String)
}
