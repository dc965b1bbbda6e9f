/// Errors of seats, requests, credit and paths.
enum SeatsError: Error, Sendable, Equatable {
    case trainCodeInvalid
    case carCodeInvalid
    case seatNotFound
    /// The seat has no occupant.
    case seatEmpty
    /// Another passenger occupies the seat.
    case seatTaken
    /// The passenger already occupies a seat.
    case alreadySeated
    case notSeated
    case ownSeat
    case notOccupant
    case requestNotFound
    /// The request was accepted, or can no longer be accepted.
    case requestDecided
    case insufficientCredit
    case amountNegative
    case passengerNotFound
    /// The credit belongs to another passenger, or would be added.
    case creditForbidden
    /// The amount is not the price of a purchase.
    case priceUnknown
    case stationNotFound
    case lineMismatch
    case sameStation
    case pathNotFound
    case pathForbidden
}
