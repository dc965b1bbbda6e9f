/// Why a passenger's status, report or favourite is not what they asked for.
enum PassengerError: Error, Sendable, Equatable {
    /// A token of somebody who has left.
    case withdrawn
    /// The person named is not a passenger, or has left.
    case userNotFound
    case statusNotFound
    case tagNotFound
    case reportNotFound
    /// Somebody else's report, or all of them.
    case reportForbidden
    case reportOfOneself
    /// The caller holds this against this person already.
    case reportRepeated
    case favoriteNotFound
    case favoriteForbidden
    /// The caller has another favourite between these stations.
    case favoriteTaken
    case favoritesFull
    case stationNotFound
    /// The stations are on different lines, or are one.
    case stationsUnfit
    /// A field is blank, too long, or has a character that cannot be shown.
    case textInvalid(field: String, limit: Int)
    case numberInvalid(field: String)
}
