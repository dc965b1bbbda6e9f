package import Contracts

/// What a phone did with the seats of one car.
package struct SeatAct: Sendable, Hashable {
    package var attempt: Attempt
    /// The car, such as "2429 of train 2345"; nil for `leave` and `end`, which are of the car in which the person sits.
    package var car: String?
    package var call: SeatCall

    package init(_ attempt: Attempt, car: String?, _ call: SeatCall) {
        (self.attempt, self.car, self.call) = (attempt, car, call)
    }
}

package enum SeatCall: Sendable, Hashable {
    /// Takes a free seat.
    case sit(SeatID)
    case leave
    /// Requests an occupied seat, or changes the offer.
    case request(SeatID)
    case cancel(SeatID)
    /// Gives the seat to a person who requested it.
    case accept(SeatID, of: AccountID)
    case reject(SeatID, of: AccountID)
    /// Confirms, as the requester, that the seat was handed over.
    case confirm(SeatID)
    /// Reads the whole car over HTTP: its occupants, by seat.
    case read([SeatID: AccountID])
    /// The server frees the seat of `Attempt.account`, if there is one: for the end of a journey, of the lease, or of the
    /// account. Its outcome is unknown, and it has no end.
    case end
}

extension SeatCall {
    package var seat: SeatID? {
        switch self {
        case .sit(let seat), .request(let seat), .cancel(let seat), .confirm(let seat): seat
        case .accept(let seat, _), .reject(let seat, _): seat
        case .leave, .read, .end: nil
        }
    }

    /// What the phone did, for a story about some seats.
    package func text(about seats: Set<SeatID>) -> String {
        switch self {
        case .sit(let seat): "sat down on seat \(seat)"
        case .leave: "left its seat"
        case .request(let seat): "requested seat \(seat)"
        case .cancel(let seat): "withdrew its request for seat \(seat)"
        case .accept(let seat, let other): "gave seat \(seat) to account \(other)"
        case .reject(let seat, let other): "rejected the request of account \(other) for seat \(seat)"
        case .confirm(let seat): "took over seat \(seat)"
        case .read(let occupants): "read the car with \(Self.list(of: occupants, seats))"
        case .end: "was freed from its seat by the server"
        }
    }

    private static func list(of occupants: [SeatID: AccountID], _ seats: Set<SeatID>) -> String {
        let taken = occupants.filter { seats.contains($0.key) }.sorted { $0.key < $1.key }
        if taken.isEmpty {
            guard seats.count == 1, let seat = seats.first else { return "no occupant" }
            return "seat \(seat) free"
        }
        return taken.map { "account \($1) on seat \($0)" }.joined(separator: ", ")
    }
}
