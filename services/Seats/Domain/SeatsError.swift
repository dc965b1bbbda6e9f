import Contracts

/// Errors of seats, requests, credit and paths.
enum SeatsError: Error, Sendable, Equatable {
    case trainCodeInvalid
    case carCodeInvalid
    /// The arrivals have not announced the train for long.
    case trainNotFound
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

    /// The error of a seat that is not stored: the car has been empty so far, or does not exist.
    static func missing(_ seat: SeatID) -> SeatsError { seat.place == nil ? .seatNotFound : .seatEmpty }
}
