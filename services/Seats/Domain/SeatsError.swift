/// What can be wrong with a wish of a passenger.
enum SeatsError: Error, Sendable, Equatable {
    case trainCodeInvalid
    case carCodeInvalid
    case seatNotFound
    /// Nobody sits there.
    case seatEmpty
    /// Somebody else sits there.
    case seatTaken
    /// The passenger sits somewhere already.
    case alreadySeated
    case notSeated
    case ownSeat
    case notOccupant
    case requestNotFound
    /// The request has been accepted, or can no longer be.
    case requestDecided
    case insufficientCredit
    case amountNegative
    case passengerNotFound
    /// Credit of others, or credit to be given.
    case creditForbidden
    /// Not the price of what can be bought.
    case priceUnknown
    case stationNotFound
    case lineMismatch
    case sameStation
    case pathNotFound
    case pathForbidden
}
