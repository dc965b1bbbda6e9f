package import Contracts

/// A car as a passenger sees it: from the sections of `GET /trains` and of a train's topic.
package struct SeatCatcherCar: Sendable, Equatable {
    package var code: String
    package var seats: [SeatID]
    /// The user ids of the occupants, by seat.
    package var occupants: [SeatID: AccountID]

    /// - Throws: `ClientError` if the sections are not one car's, or if a time has another format than the app expects.
    package init(_ sections: [SeatCatcherSection]) throws(ClientError) {
        code = sections.first?.carCode ?? ""
        let all = sections.flatMap(\.seatStatus)
        seats = all.map(\.seatId)
        occupants = Dictionary(
            uniqueKeysWithValues: all.compactMap { seat in seat.occupant.map { (seat.seatId, $0.userId) } }
        )
        guard sections.count == 5, Set(sections.map(\.carCode)).count == 1 else {
            throw ClientError("a snapshot is of one car with five sections")
        }
        for time in all.compactMap(\.occupant?.expectedArrivalTime) {
            let fraction = time.split(separator: ".").last ?? ""
            guard time.utf8.count == 26, fraction.utf8.count == 6, Int(fraction) != nil else {
                throw ClientError("an arrival has six digits of a second: \(time)")
            }
        }
    }
}
