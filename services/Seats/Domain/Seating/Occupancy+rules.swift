import Contracts

/// The rules of a seat (SeatCatcher contract 4.4 and 4.5), on its occupancy as a transaction has read it; nil for a free
/// seat. An expired lease counts as free.
extension Occupancy? {
    /// - Throws: `SeatsError.seatEmpty`.
    func live() throws -> Occupancy {
        guard let self, self.isLive else { throw SeatsError.seatEmpty }
        return self
    }

    /// The owner of the seat, for a passenger who requests it.
    ///
    /// - Throws: `SeatsError.seatEmpty`, `.ownSeat`.
    func owner(for requester: AccountID) throws -> SeatOwner {
        let held = try live()
        guard held.account != requester else { throw SeatsError.ownSeat }
        return SeatOwner(held.account)
    }

    /// - Throws: `SeatsError.seatEmpty`, `.notOccupant`.
    func check(isOf owner: SeatOwner) throws {
        guard try live().account == owner.account else { throw SeatsError.notOccupant }
    }

    /// Checks that a passenger may sit down.
    ///
    /// - Throws: `SeatsError.alreadySeated`, `.seatTaken`.
    func checkFree(for account: AccountID) throws {
        guard let self, self.isLive else { return }
        throw self.account == account ? SeatsError.alreadySeated : .seatTaken
    }
}

extension Occupancy {
    /// Whether an occupancy that was found expired is still the seat's, and still expired.
    func isExpired(as overdue: Occupancy) -> Bool { account == overdue.account && !isLive }
}
