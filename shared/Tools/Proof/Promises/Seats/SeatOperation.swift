/// An act in the numbers of a `SeatModel`: persons, seats and pairs of a seat and its requester are indices. Each case is
/// an act with its answer.
enum SeatOperation: Hashable, Sendable {
    // MARK: Changes

    case sat(person: Int, seat: Int)
    /// - Parameter mayBeElsewhere: Whether the person may have left a seat that is not among the model's.
    case left(person: Int, mayBeElsewhere: Bool)
    case requested(pair: Int)
    case cancelled(pair: Int)
    case rejected(pair: Int, owner: Int)
    case accepted(pair: Int, owner: Int)
    /// The requester was given a seat that is not among the model's, or had been given it before. The owner is nil if it
    /// has none of the model's seats at any time.
    case acceptedElsewhere(owner: Int?, requester: Int)
    /// The server has freed the person's seat.
    case freed(person: Int)
    /// A request has expired.
    case expired(pair: Int)

    // MARK: Readings

    /// The car's occupants, by seat; -1 for none.
    case read([Int32])
    case isFree(seat: Int)
    /// The seat has an occupant other than the person.
    case isTaken(seat: Int, person: Int)
    case isOccupant(seat: Int, person: Int)
    /// The person has none of the model's seats.
    case hasNone(person: Int)
    case hasSome(person: Int)
    /// There is no request.
    case isUnrequested(pair: Int)
    /// The request was accepted.
    case isAccepted(pair: Int)
    /// The request is of this owner's time, and was accepted.
    case isAcceptedBy(pair: Int, owner: Int)
    /// The request is of this owner's time, and ended otherwise.
    case isEnded(pair: Int, owner: Int)
    /// The owner has no request to decide. Has the occupant: the owner, another person or none.
    case hasNoRequest(pair: Int, owner: Int, occupant: Occupant)

    enum Occupant: Hashable, Sendable { case owner, other, none }

    /// Whether it changes requests only.
    var isHidden: Bool {
        switch self {
        case .requested, .cancelled, .rejected, .expired: true
        default: false
        }
    }

    var isReading: Bool {
        switch self {
        case .sat, .left, .requested, .cancelled, .rejected, .accepted, .acceptedElsewhere, .freed, .expired: false
        case .read, .isFree, .isTaken, .isOccupant, .hasNone, .hasSome, .isUnrequested, .isAccepted, .isAcceptedBy,
            .isEnded, .hasNoRequest:
            true
        }
    }
}
